import { FRAME_CODES } from '../session/frame.js';
import { WireError } from '../wire/wire-fields.js';
import type { PostedKind } from './protocol.js';

/** A message on a stream. Layout: length (4) ‖ ticket (4) ‖ kind (1): 2 push, 3 request ‖ frame (length − 5) */
export interface StreamMessage {
  /** Chosen by the sender; the answer repeats it. */
  readonly ticket: number;
  readonly kind: PostedKind;
  readonly frame: Uint8Array;
}

/** An answer on a stream. Layout: length (4) ‖ ticket (4) ‖ status (2) ‖ body (length − 6) */
export interface StreamAnswer {
  readonly ticket: number;
  /** As that of a posted message. */
  readonly status: number;
  readonly body: Uint8Array;
}

/** Bytes of the length in front of a record, which does not count itself. */
export const LENGTH_BYTES = 4;
const MESSAGE_HEAD = 5;
const ANSWER_HEAD = 6;
/** What a record has besides a frame or a body, its length not counted. */
export const RECORD_OVERHEAD = Math.max(MESSAGE_HEAD, ANSWER_HEAD);

const KINDS: ReadonlyMap<number, PostedKind> = new Map([
  [FRAME_CODES.push, 'push'],
  [FRAME_CODES.request, 'request'],
]);

export function encodeStreamMessage({ ticket, kind, frame }: StreamMessage): Uint8Array {
  const record = begin(MESSAGE_HEAD + frame.length, ticket);
  record[LENGTH_BYTES + 4] = FRAME_CODES[kind];
  record.set(frame, LENGTH_BYTES + MESSAGE_HEAD);
  return record;
}

export function encodeStreamAnswer({ ticket, status, body }: StreamAnswer): Uint8Array {
  const record = begin(ANSWER_HEAD + body.length, ticket);
  record.writeUInt16BE(status, LENGTH_BYTES + 4);
  record.set(body, LENGTH_BYTES + ANSWER_HEAD);
  return record;
}

/**
 * @param record - without its length
 * @throws WireError
 */
export function decodeStreamMessage(record: Buffer): StreamMessage {
  const kind = record.length < MESSAGE_HEAD ? undefined : KINDS.get(record.readUInt8(4));
  if (kind === undefined) throw new WireError('not a message of a stream');
  return { ticket: record.readUInt32BE(0), kind, frame: record.subarray(MESSAGE_HEAD) };
}

/**
 * @param record - without its length
 * @throws WireError
 */
export function decodeStreamAnswer(record: Buffer): StreamAnswer {
  if (record.length < ANSWER_HEAD) throw new WireError('not an answer of a stream');
  return {
    ticket: record.readUInt32BE(0),
    status: record.readUInt16BE(4),
    body: record.subarray(ANSWER_HEAD),
  };
}

function begin(length: number, ticket: number): Buffer {
  const record = Buffer.allocUnsafe(LENGTH_BYTES + length);
  record.writeUInt32BE(length, 0);
  record.writeUInt32BE(ticket, LENGTH_BYTES);
  return record;
}
