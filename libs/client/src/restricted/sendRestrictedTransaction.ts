import { hexToBigInt, type Address, type Client, type Hash } from 'viem';
import { estimateGas, getChainId } from 'viem/actions';
import type { RejectionOf } from '../errors/request-error.js';
import type { TransactionContent } from '../private/fill-transaction.js';
import { sendingAccount, type AccountParameter } from '../private/sending-account.js';
import { callMethod, callOnce } from '../wire/call-method.js';
import type { RestrictedRecipients } from './privacy-group.js';
import { sendThroughSigner } from './send-through-signer.js';
import { signRestrictedTransaction } from './signRestrictedTransaction.js';

export type SendRestrictedTransactionParameters = AccountParameter &
  TransactionContent &
  RestrictedRecipients;

export type SendRestrictedTransactionErrorType =
  RejectionOf<'eea_sendRawTransaction'> | RejectionOf<'eea_sendTransaction'>;

/**
 * Sends a restricted transaction, the kind of Besu and of signing proxies: signed here with a local account, or with an address
 * by the signer at the client's URL.
 *
 * @param client - client of the sender's node, or of a signer in front of it
 * @param parameters - what is sent, by whom, and for whom
 * @returns hash of the privacy marker that stands for it on the chain
 */
export async function sendRestrictedTransaction(
  client: Client,
  parameters: SendRestrictedTransactionParameters,
): Promise<Hash> {
  const account = sendingAccount(client, parameters);
  const { address } = account;
  if (account.type === 'json-rpc') return sendThroughSigner(client, address, parameters);
  const { to, data, gas, gasPrice = 0n, nonce, ...rest } = parameters;
  const signed = await signRestrictedTransaction(account, {
    ...(rest as RestrictedRecipients),
    to,
    data,
    gasPrice,
    chainId: client.chain?.id ?? (await getChainId(client)),
    gas: gas ?? (await estimateGas(client, { account: address, data, ...(to === undefined ? {} : { to }) })),
    nonce:
      nonce === undefined
        ? await getRestrictedNonce(client, { ...(rest as RestrictedRecipients), address })
        : BigInt(nonce),
  });
  return callOnce(client, 'eea_sendRawTransaction', signed);
}

export type GetRestrictedNonceParameters = RestrictedRecipients & { readonly address: Address };

/** How many restricted transactions an account has sent to a group: its next nonce there. */
export async function getRestrictedNonce(
  client: Client,
  { address, privateFrom, privateFor, privacyGroupId }: GetRestrictedNonceParameters,
): Promise<bigint> {
  const count =
    privacyGroupId === undefined
      ? callMethod(client, 'priv_getEeaTransactionCount', address, privateFrom, privateFor)
      : callMethod(client, 'priv_getTransactionCount', address, privacyGroupId);
  return hexToBigInt(await count);
}
