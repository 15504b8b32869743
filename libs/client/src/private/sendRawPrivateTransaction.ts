import type { Client, Hash, Hex } from 'viem';
import type { RejectionOf } from '../errors/request-error.js';
import { callOnce } from '../wire/call-method.js';
import { privacyData, type PrivacyParameters } from './privacy.js';

export type SendRawPrivateTransactionParameters = PrivacyParameters & {
  /** Signed private transaction, over a payload that is stored with the transaction manager. */
  readonly serializedTransaction: Hex;
};

export type SendRawPrivateTransactionErrorType = RejectionOf<'eth_sendRawPrivateTransaction'>;

/**
 * Sends a private transaction that was signed elsewhere, over a payload that the node's transaction manager has.
 *
 * @param client - client of the sender's node
 * @param parameters - the transaction, and for whom it is
 * @returns hash of the transaction
 */
export function sendRawPrivateTransaction(
  client: Client,
  { serializedTransaction, ...privacy }: SendRawPrivateTransactionParameters,
): Promise<Hash> {
  return callOnce(client, 'eth_sendRawPrivateTransaction', serializedTransaction, privacyData(privacy));
}
