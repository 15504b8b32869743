import type { Account, Client, Hash, Hex } from 'viem';
import type {
  AccountCannotSignPrivatelyError,
  AccountMissingError,
  MarkerSenderError,
} from '../errors/account-errors.js';
import type { InvalidPrivacyError, UnexpectedTransactionError } from '../errors/privacy-errors.js';
import type { RejectionOf } from '../errors/request-error.js';
import { sendThroughSigner } from '../restricted/send-through-signer.js';
import { callOnce } from '../wire/call-method.js';
import type { PrivateDataParameter } from '../wire/methods.js';
import { fillPrivateTransaction, transactionMembers, type TransactionContent } from './fill-transaction.js';
import { privacyData, type PrivacyParameters } from './privacy.js';
import { sendPrivacyMarker } from './sendPrivacyMarker.js';
import { sendingAccount, type AccountParameter } from './sending-account.js';
import { signPrivateTransaction, type PrivateTransactionContent } from './signPrivateTransaction.js';

/** How a private transaction reaches the chain. */
export interface SendingParameters {
  /**
   * Hides the transaction behind a privacy marker: `true` for one by the same account, or the client of a wallet that has the
   * account and sends it.
   */
  readonly marker?: boolean | Client | undefined;
  /** `signer` where the URL is that of a signer, which sends the transactions of its accounts as restricted ones; `node` by default. */
  readonly through?: 'node' | 'signer' | undefined;
}

export type SendPrivateTransactionParameters = AccountParameter &
  TransactionContent &
  PrivacyParameters &
  SendingParameters;

export type SendPrivateTransactionReturnType = Hash;

export type SendPrivateTransactionErrorType =
  | AccountCannotSignPrivatelyError
  | AccountMissingError
  | InvalidPrivacyError
  | MarkerSenderError
  | UnexpectedTransactionError
  | RejectionOf<'eth_sendTransaction'>
  | RejectionOf<'eth_sendRawPrivateTransaction'>
  | RejectionOf<'eth_fillTransaction'>;

/**
 * Sends a transaction that only its parties can read.
 *
 * With an account of the node (an address), the node signs. With a local account the payload is stored with the node's
 * transaction manager, the transaction is signed here, and sent with its recipients.
 *
 * @param client - client of the sender's node, or of a signer in front of it
 * @param parameters - what is sent, by whom, and for whom
 * @returns hash of the transaction, or of its marker
 *
 * @example
 * const hash = await sendPrivateTransaction(client, { account, to, data, privateFor: [key] })
 */
export async function sendPrivateTransaction(
  client: Client,
  parameters: SendPrivateTransactionParameters,
): Promise<SendPrivateTransactionReturnType> {
  const privacy = privacyData(parameters);
  const account = sendingAccount(client, parameters);
  if (parameters.through === 'signer' && account.type === 'json-rpc')
    return sendThroughSigner(client, account.address, parameters);
  if (parameters.marker) return sendMarked(client, account, parameters, privacy);
  if (account.type === 'json-rpc')
    return callOnce(client, 'eth_sendTransaction', {
      from: account.address,
      ...transactionMembers(parameters),
      ...privacy,
    });
  const filled = await fillPrivateTransaction(client, account.address, parameters, privacy);
  return callOnce(
    client,
    'eth_sendRawPrivateTransaction',
    await signPrivateTransaction(account, filled),
    privacy,
  );
}

async function sendMarked(
  client: Client,
  account: Account,
  parameters: SendPrivateTransactionParameters,
  privacy: PrivateDataParameter,
): Promise<Hash> {
  const filled = await fillPrivateTransaction(client, account.address, parameters, privacy);
  const raw =
    account.type === 'json-rpc'
      ? await signByNode(client, account, filled, privacy)
      : await signPrivateTransaction(account, filled);
  const data = await callOnce(client, 'eth_distributePrivateTransaction', raw, privacy);
  const { marker } = parameters;
  return sendPrivacyMarker(client, {
    data,
    nonce: Number(filled.nonce),
    account,
    ...(typeof marker === 'object' ? { wallet: marker } : {}),
  });
}

/** By an account of the node. */
async function signByNode(
  client: Client,
  { address }: Account,
  { nonce, ...filled }: PrivateTransactionContent,
  { privateFor }: PrivateDataParameter,
): Promise<Hex> {
  const { raw } = await callOnce(client, 'eth_signTransaction', {
    from: address,
    ...transactionMembers({ ...filled, nonce: Number(nonce) }),
    privateFor,
  });
  return raw;
}
