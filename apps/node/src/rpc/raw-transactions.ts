import type { BlockReference, ethRawTransactionMethods } from '@tetrad/api-node';
import { minedAt } from '@tetrad/node-ledger';
import { BlockFinder } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import type { Hash } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

export function rawTransactionHandlers(
  parts: Pick<NodeParts, 'ledger' | 'pool'>,
): Handlers<typeof ethRawTransactionMethods> {
  const blocks = new BlockFinder(parts.ledger);
  const rawAt = async (reference: BlockReference, index: number) => {
    const block = await blocks.find(reference);
    return (block === undefined ? undefined : minedAt(block, index))?.transaction.raw ?? new Uint8Array(0);
  };
  return {
    eth_getRawTransactionByHash: ([hash]) => findRaw(parts, hash),
    eth_getRawTransactionByBlockHashAndIndex: ([blockHash, index]) => rawAt({ blockHash }, index),
    eth_getRawTransactionByBlockNumberAndIndex: ([reference, index]) => rawAt(reference, index),
  };
}

/** A mined or pending transaction as it was submitted; empty when it is unknown. */
export async function findRaw(
  { ledger, pool }: Pick<NodeParts, 'ledger' | 'pool'>,
  hash: Hash,
): Promise<Uint8Array> {
  const transaction = pool.find(hash) ?? (await ledger.findTransaction(hash))?.transaction;
  return transaction?.raw ?? new Uint8Array(0);
}
