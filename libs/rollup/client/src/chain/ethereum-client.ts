import { createRpcClient, type RpcClient } from '@tetrad/rpc';
import { ethereumMethods } from './ethereum-methods.js';

export type EthereumClient = RpcClient<typeof ethereumMethods>;

/** Of one answer: a page of events with batches of the largest size that there can be. */
const MAX_ANSWER_BYTES = 64 * 2 ** 20;
const TIMEOUT_MS = 60_000;

/** JSON-RPC with an Ethereum client. */
export function connectEthereum(url: string): EthereumClient {
  return createRpcClient(ethereumMethods, {
    ...{ url, timeoutMs: TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES },
  });
}
