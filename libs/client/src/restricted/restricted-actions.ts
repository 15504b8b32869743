import type { Client, Hash } from 'viem';
import {
  getRestrictedNonce,
  sendRestrictedTransaction,
  type GetRestrictedNonceParameters,
  type SendRestrictedTransactionParameters,
} from './sendRestrictedTransaction.js';

export type RestrictedActions = {
  /** Sends a restricted transaction (`eea_`). */
  readonly sendRestrictedTransaction: (parameters: SendRestrictedTransactionParameters) => Promise<Hash>;
  /** The next nonce of an account in a privacy group. */
  readonly getRestrictedNonce: (parameters: GetRestrictedNonceParameters) => Promise<bigint>;
};

/** Restricted transactions: `client.extend(restrictedActions())`. */
export function restrictedActions(): (client: Client) => RestrictedActions {
  return (client) => ({
    sendRestrictedTransaction: (parameters) => sendRestrictedTransaction(client, parameters),
    getRestrictedNonce: (parameters) => getRestrictedNonce(client, parameters),
  });
}
