import { viewLog, type RestrictedReceiptView, type restrictedMethods } from '@tetrad/api-node';
import { logsBloom } from '@tetrad/node-block';
import { RestrictedDecodeError, decodeRestricted, readRestricted } from '@tetrad/node-private-state';
import type { Handlers } from '@tetrad/rpc';
import { privacyGroupId } from '@tetrad/transactions';
import { RequestError, type Hash } from '@tetrad/types';
import type { PrivateSending } from '../privacy/open-sending.js';
import type { NodeParts } from './node-parts.js';

type Parts = Pick<NodeParts, 'ledger' | 'privacy' | 'receipts' | 'sending'>;

/** Restricted private transactions, for signers of the EEA kind. */
export function restrictedHandlers(parts: Parts): Handlers<typeof restrictedMethods> {
  const { ledger, sending } = parts;
  return {
    eea_sendRawTransaction: async ([raw]) => {
      try {
        return await sendingOf(sending).restricted.send(decodeRestricted(raw, ledger.genesis.chainId));
      } catch (error) {
        if (!(error instanceof RestrictedDecodeError)) throw error;
        const message = `Unable to decode the private signed raw transaction: ${error.message}`;
        throw new RequestError('MALFORMED_TRANSACTION', message);
      }
    },
    priv_getTransactionCount: async ([sender, group]) => sendingOf(sending).countOf({ sender, group }),
    priv_getEeaTransactionCount: async ([sender, privateFrom, privateFor]) =>
      sendingOf(sending).countOf({ sender, group: privacyGroupId(privateFrom, privateFor) }),
    priv_getTransactionReceipt: async ([hash]) => receiptOf(parts, hash),
  };
}

async function receiptOf(
  { ledger, privacy, receipts }: Parts,
  hash: Hash,
): Promise<RestrictedReceiptView | null> {
  const mined = await ledger.findReceipt(hash);
  const { own } = privacy;
  if (mined === undefined || own === undefined) return null;
  const { position } = mined;
  await own.view.demand(position.blockNumber);
  const row = await own.store.findReceipt(hash);
  const restricted = row && readRestricted(row.raw, ledger.genesis.chainId);
  if (row === undefined || restricted === undefined) return null;
  const block = await ledger.findBlock(position.blockNumber);
  const all = block === undefined ? [] : await receipts.listLogs(block);
  const logs = all.filter(({ transactionIndex }) => transactionIndex === row.index);
  const { privateFrom, privateFor, group } = restricted;
  return {
    blockHash: position.blockHash,
    blockNumber: position.blockNumber,
    transactionHash: hash,
    transactionIndex: row.index,
    commitmentHash: restricted.hash,
    from: restricted.sender,
    to: restricted.to ?? null,
    contractAddress: row.contractAddress ?? null,
    output: row.returnData,
    status: row.status,
    logs: logs.map(viewLog),
    logsBloom: logsBloom(logs.map(({ log }) => log)),
    privateFrom,
    ...(privateFor === undefined ? { privacyGroupId: group } : { privateFor: [...privateFor] }),
  };
}

function sendingOf(sending: PrivateSending | undefined): PrivateSending {
  if (sending !== undefined) return sending;
  throw new RequestError('PRIVACY_NOT_AVAILABLE', 'private transactions are not enabled on this node');
}
