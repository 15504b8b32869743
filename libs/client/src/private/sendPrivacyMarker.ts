import {
  isAddressEqual,
  numberToHex,
  type Account,
  type Address,
  type Client,
  type Hash,
  type Hex,
} from 'viem';
import { sendTransaction } from 'viem/actions';
import { AccountMissingError, MarkerSenderError } from '../errors/account-errors.js';
import { assertPayloadHash } from './payload-hash.js';

export interface SendPrivacyMarkerParameters {
  /** Hash that `distributePrivateTransaction` returned. */
  readonly data: Hex;
  /** Nonce of the private transaction, which the marker shares. */
  readonly nonce: number;
  /** Account that signed the private transaction. */
  readonly account: Account;
  /** Client of a wallet that has the same account; without it, `account` signs the marker too. */
  readonly wallet?: Client | undefined;
}

/** The same on all networks. It is not asked for: the account would sign a call of whatever the node names. */
const PRIVACY_PRECOMPILE: Address = '0x000000000000000000000000000000000000007a';
/** Enough for 64 bytes of data under every fork, and for the precompile. */
const MARKER_GAS = 30_000n;

/**
 * Sends the public transaction that stands on the chain for a private one.
 *
 * Parties execute what is behind a marker only when both have the same sender and nonce.
 *
 * @throws MarkerSenderError when the wallet has another account
 * @throws UnexpectedTransactionError for data that is no hash of a payload
 */
export async function sendPrivacyMarker(
  client: Client,
  { data, nonce, account, wallet = client }: SendPrivacyMarkerParameters,
): Promise<Hash> {
  const sender = wallet === client ? account : wallet.account;
  if (sender === undefined) throw new AccountMissingError();
  if (!isAddressEqual(sender.address, account.address))
    throw new MarkerSenderError({ sender: account.address, markerSender: sender.address });
  assertPayloadHash(data);
  const to = PRIVACY_PRECOMPILE;
  if (sender.type === 'json-rpc' && wallet === client)
    return sendByNode(client, { from: sender.address, to, data, nonce });
  return sendTransaction(wallet, {
    account: sender,
    chain: wallet.chain ?? null,
    to,
    data,
    nonce,
    gas: MARKER_GAS,
    gasPrice: 0n,
    type: 'legacy',
  });
}

/** viem asks a wallet for its chain first, which a node's account does not need. */
function sendByNode(
  client: Client,
  { nonce, ...marker }: { from: Hex; to: Hex; data: Hex; nonce: number },
): Promise<Hash> {
  return client.request(
    {
      method: 'eth_sendTransaction',
      params: [{ ...marker, nonce: numberToHex(nonce), gas: numberToHex(MARKER_GAS), gasPrice: '0x0' }],
    },
    { retryCount: 0 },
  );
}
