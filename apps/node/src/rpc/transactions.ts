import {
  viewReceipt,
  viewTransaction,
  type BlockReference,
  type ethTransactionMethods,
} from '@tetrad/api-node';
import { personalMessageDigest } from '@tetrad/crypto';
import { TransactionDecodeError, decodeTransaction } from '@tetrad/node-execution';
import { minedAt } from '@tetrad/node-ledger';
import { BlockFinder } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import { RequestError, type SignedTransaction } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

/** Submission, look-ups, and signing with the accounts of the node. */
export function transactionHandlers(
  parts: Pick<NodeParts, 'ledger' | 'pool' | 'receipts' | 'sender'>,
): Handlers<typeof ethTransactionMethods> {
  const { ledger, pool, sender } = parts;
  const blocks = new BlockFinder(parts.ledger);
  const findAt = async (reference: BlockReference, index: number) => {
    const block = await blocks.find(reference);
    const mined = block === undefined ? undefined : minedAt(block, index);
    return mined === undefined ? null : viewTransaction(mined.transaction, mined.position);
  };
  return {
    async eth_getTransactionByHash([hash]) {
      const pending = pool.find(hash);
      if (pending !== undefined) return viewTransaction(pending);
      const mined = await ledger.findTransaction(hash);
      return mined === undefined ? null : viewTransaction(mined.transaction, mined.position);
    },
    eth_getTransactionByBlockHashAndIndex: ([blockHash, index]) => findAt({ blockHash }, index),
    eth_getTransactionByBlockNumberAndIndex: ([reference, index]) => findAt(reference, index),
    async eth_getTransactionReceipt([hash]) {
      const receipt = await parts.receipts.find(hash);
      return receipt === undefined ? null : viewReceipt(receipt);
    },
    eth_sendRawTransaction: ([raw]) => pool.add(decodeOrRefuse(raw, ledger.genesis.chainId)),
    eth_sign: ([address, message]) => sender.signDigest(address, personalMessageDigest(message)),
    eth_signTransaction: ([request]) => sender.signOnly(request),
  };
}

/** @throws RequestError with the decoder's reason */
export function decodeOrRefuse(raw: Uint8Array, chainId: bigint): SignedTransaction {
  try {
    return decodeTransaction(raw, chainId);
  } catch (error) {
    if (error instanceof TransactionDecodeError) throw new RequestError(error.code, error.message);
    throw error;
  }
}
