import { blake2b256 } from '@tetrad/crypto';
import { writeJson } from '@tetrad/rpc';
import { formatCoinAddress, type CoinAddress, type CoinNetwork } from '@tetrad/wallet-key';
import { formatContentId, messageContentId } from './message/content-id.js';
import type { CoinMessage } from './message/coin-message.js';
import type { AuditAction, AuditRecord } from '@tetrad/wallet-store';

/** The origin of a request, for the audit log. */
export interface Requester {
  /** Subject of the token, or the user of the command line. */
  readonly caller: string;
  readonly requestId: string;
}

/** The record of something other than a signature. */
export function auditRecord(
  { caller, requestId }: Requester,
  action: AuditAction,
  address: CoinAddress | undefined,
): AuditRecord {
  return {
    caller,
    requestId,
    action,
    address: address?.toBytes() ?? new Uint8Array(0),
    decision: 'done',
  };
}

/** The data to sign: its recognized content, the bytes, and the message that they identify, if known. */
export interface SigningContent {
  readonly content: string;
  readonly bytes: Uint8Array;
  readonly cid?: string | undefined;
  readonly message?: CoinMessage | undefined;
}

/** The record of a request to sign. One literal: spreads of parts took longer than the hash in it (measured). */
export function signingRecord(
  { caller, requestId }: Requester,
  address: CoinAddress,
  { content, bytes, cid, message }: SigningContent,
  network: CoinNetwork,
): AuditRecord {
  return {
    caller,
    requestId,
    action: 'sign',
    address: address.toBytes(),
    content,
    digest: blake2b256(bytes),
    cid,
    message: message === undefined ? undefined : writeJson(messageFields(message, network)),
    decision: 'done',
  };
}

/** Undefined for one that cannot be encoded. */
export function cidOf(message: CoinMessage): string {
  return formatContentId(messageContentId(message));
}

/** Parameters longer than this are counted and not kept: the log is for people, and its growth is bounded. */
const MAX_LOGGED_PARAMS = 1_024;

function messageFields(message: CoinMessage, network: CoinNetwork): Record<string, unknown> {
  const { params } = message;
  const text = Buffer.from(params.subarray(0, MAX_LOGGED_PARAMS)).toString('base64');
  return {
    Version: message.version,
    To: formatCoinAddress(message.to, network),
    From: formatCoinAddress(message.from, network),
    Nonce: message.nonce,
    Value: message.value.toString(),
    GasLimit: message.gasLimit,
    GasFeeCap: message.gasFeeCap.toString(),
    GasPremium: message.gasPremium.toString(),
    Method: message.method,
    ...(params.length <= MAX_LOGGED_PARAMS ? { Params: text } : { ParamsBytes: params.length }),
  };
}
