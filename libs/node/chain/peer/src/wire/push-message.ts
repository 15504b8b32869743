import { encodeRlp } from '@tetrad/rlp';
import { bytesFromScalar, scalarFromBytes, type TraceHeaders } from '@tetrad/types';
import { wireFields, WireError } from './wire-fields.js';

/** Kinds of messages without an answer, most important first; queues drop in the reverse order. */
export const PUSH_KINDS = [
  'leave',
  'consensus',
  'head',
  'unrecorded',
  'clock',
  'block',
  'notice',
  'hash',
  'transaction',
] as const;

export type PushKind = (typeof PUSH_KINDS)[number];

/** One message; the payload's form is that of its kind. */
export interface PushMessage {
  readonly kind: PushKind;
  readonly payload: Uint8Array;
  /** Sent as HTTP headers, which belong to one message: it travels alone. */
  readonly trace?: TraceHeaders | undefined;
}

/** Codes on the wire; they must not change. */
const CODES: Readonly<Record<PushKind, number>> = {
  leave: 1,
  consensus: 2,
  head: 3,
  block: 4,
  hash: 5,
  transaction: 6,
  notice: 7,
  unrecorded: 8,
  clock: 9,
};
const KINDS = new Map(PUSH_KINDS.map((kind) => [CODES[kind], kind]));

/** Whether the sender's validator has no record of what it signed at the height after its head. Layout: 0 or 1 (1). */
export function encodeUnrecorded(isUnrecorded: boolean): Uint8Array {
  return Uint8Array.of(isUnrecorded ? 1 : 0);
}

/** @throws WireError */
export function decodeUnrecorded(bytes: Uint8Array): boolean {
  const [flag] = bytes;
  if (bytes.length !== 1 || (flag !== 0 && flag !== 1)) throw new WireError('unrecorded: flag');
  return flag === 1;
}

/** The time of the sender's clock in milliseconds since the epoch. Layout: scalar (≤ 7). */
export function encodeClock(nowMs: number): Uint8Array {
  return bytesFromScalar(Math.round(nowMs));
}

/** @throws WireError */
export function decodeClock(bytes: Uint8Array): number {
  if (bytes.length === 0 || bytes.length > 7 || bytes[0] === 0) throw new WireError('clock: time');
  const value = scalarFromBytes(bytes);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new WireError('clock: time');
  return Number(value);
}

/** A notice is the hash of a payload that the receiver's transaction manager may have. */
export const NOTICE_BYTES = 64;

/** Maximum number of messages in one push. */
export const MAX_PUSH_MESSAGES = 4_096;
/** Bytes that the list around one message takes at most. */
export const MESSAGE_OVERHEAD = 12;

/** Layout: RLP([[code, payload (bytes)]...]). */
export function encodePush(messages: readonly PushMessage[]): Uint8Array {
  return encodeRlp(messages.map(({ kind, payload }) => [Uint8Array.of(CODES[kind]), payload]));
}

/**
 * Messages of kinds that this version does not know are left out, so that later versions may add some.
 * @throws WireError
 */
export function decodePush(bytes: Uint8Array): PushMessage[] {
  const messages = wireFields(bytes, 'push').repeated(MAX_PUSH_MESSAGES, (list) => {
    const fields = list.list('message');
    const kind = KINDS.get(fields.count('code', 255));
    const payload = fields.bytes('payload', bytes.length);
    fields.end();
    return kind === undefined ? [] : [{ kind, payload }];
  });
  return messages.flat();
}
