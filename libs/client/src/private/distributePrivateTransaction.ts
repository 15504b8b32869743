import type { Client, Hex } from 'viem';
import type { RejectionOf } from '../errors/request-error.js';
import { callOnce } from '../wire/call-method.js';
import { privacyData, type PrivacyParameters } from './privacy.js';

export type DistributePrivateTransactionParameters = PrivacyParameters & {
  /** Signed private transaction, over a payload that is stored with the transaction manager. */
  readonly serializedTransaction: Hex;
};

export type DistributePrivateTransactionErrorType = RejectionOf<'eth_distributePrivateTransaction'>;

/**
 * Sends the payload to its parties, and does not put the transaction on the chain: for a privacy marker that is signed elsewhere.
 *
 * @param client - client of the sender's node
 * @param parameters - the transaction, and for whom it is
 * @returns data of the marker
 */
export function distributePrivateTransaction(
  client: Client,
  { serializedTransaction, ...privacy }: DistributePrivateTransactionParameters,
): Promise<Hex> {
  return callOnce(client, 'eth_distributePrivateTransaction', serializedTransaction, privacyData(privacy));
}
