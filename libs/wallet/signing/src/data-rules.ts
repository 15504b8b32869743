import { RequestError } from '@tetrad/types';
import type { CoinAddress } from '@tetrad/wallet-key';
import { CoinMessageError } from './message/message-error.js';
import { bytesToSign } from './message/signed-bytes.js';
import { decodeCoinMessage } from './message/message-codec.js';
import { findInclusionFault } from './message/inclusion-rules.js';
import { formatContentId, messageContentId } from './message/content-id.js';
import { recognizeChainMessage } from './message/recognize.js';
import type { CoinMessage } from './message/coin-message.js';
import type { EthEnvelope } from './message/eth-envelope.js';
import type { Checked } from './message-rules.js';
import type { SigningPolicy } from './signing-policy.js';

/** What the caller says that the data is. */
export interface DataMeta {
  readonly type: string;
  /** For `message` its CBOR. */
  readonly extra?: Uint8Array | null | undefined;
}

/** The recognized content of data to sign, for the audit log. */
export interface DataFindings {
  readonly content: 'data' | 'message' | 'message-cid' | 'chain-message' | EthEnvelope;
  readonly cid?: string;
  /** Where it is known. */
  readonly message?: CoinMessage;
}

/**
 * What the data is, and whether it may be signed as data: a chain message must go where its fields are looked at, a
 * message that comes as meta must be the one whose content id is signed (docs/adr/0016).
 */
export function checkData(
  data: Uint8Array,
  meta: DataMeta | undefined,
  { signer, policy }: { readonly signer: CoinAddress; readonly policy: SigningPolicy },
): Checked<DataFindings> {
  if (meta?.type === 'message') return checkWithMessage(data, meta.extra ?? undefined, { signer, policy });
  const recognized = recognizeChainMessage(data);
  switch (recognized) {
    case undefined:
      return { content: 'data' };
    case 'message-cid':
      return checkContentId(data, policy);
    case 'message':
    case 'delegated-message':
      return checkBlind('chain-message', policy);
    default:
      return checkBlind(recognized, policy);
  }
}

/** Content that is signed only when the operator allows blind signing, as described in the rejection. */
const BLIND = {
  'chain-message': 'a message of the chain',
  'eth-transaction': 'an Ethereum transaction',
  'eth-authorization': 'an Ethereum authorization, which delegates the account to code',
  'eth-typed-data': 'the hash of Ethereum typed data, which may be a permit',
} as const;

function checkBlind(content: keyof typeof BLIND, { allowBlindSign }: SigningPolicy): Checked<DataFindings> {
  return { content, ...(allowBlindSign ? {} : { rejection: blindSigning(BLIND[content]) }) };
}

/** Nodes of the coin network have the content ids of messages signed; the message itself cannot be seen here. */
function checkContentId(data: Uint8Array, { requireMessageMeta }: SigningPolicy): Checked<DataFindings> {
  const findings = { content: 'message-cid', cid: formatContentId(data) } as const;
  if (!requireMessageMeta) return findings;
  const text =
    'the data is the content id of a message: send the message as meta, or use Coin.WalletSignMessage';
  return { ...findings, rejection: new RequestError('MESSAGE_META_REQUIRED', text) };
}

function checkWithMessage(
  data: Uint8Array,
  extra: Uint8Array | undefined,
  { signer, policy }: { readonly signer: CoinAddress; readonly policy: SigningPolicy },
): Checked<DataFindings> {
  if (extra === undefined) return { content: 'message', rejection: mismatch('meta.Extra is missing') };
  try {
    const message = decodeCoinMessage(extra);
    const findings = {
      content: 'message',
      cid: formatContentId(messageContentId(message)),
      message,
    } as const;
    if (!Buffer.from(data).equals(bytesToSign(message, signer, policy.delegatedChainId))) {
      return { ...findings, rejection: mismatch('the content id is another one') };
    }
    const fault = policy.strictMessages ? findInclusionFault(message) : undefined;
    if (fault === undefined) return findings;
    const field = { field: `meta.Extra.${fault.field}` };
    return { ...findings, rejection: new RequestError('INVALID_COIN_MESSAGE', fault.message, field) };
  } catch (error) {
    if (!(error instanceof CoinMessageError)) throw error;
    return { content: 'message', rejection: mismatch(error.message) };
  }
}

/** In the words of the signer that brought the parameter up. */
function mismatch(detail: string): RequestError {
  const text = "Message invalid the data to sign doesn't match the CID of MsgMeta.extra";
  return new RequestError('MESSAGE_META_MISMATCH', text, { detail });
}

function blindSigning(what: string): RequestError {
  return new RequestError(
    'BLIND_SIGNING_REFUSED',
    `the data is ${what}: use Coin.WalletSignMessage, which looks at what it signs ` +
      '(or start the wallet with --allow-blind-sign)',
  );
}
