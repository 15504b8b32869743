import { MalformedPayloadError } from './encoded-payload.js';

const LENGTH_BYTES = 4;

/** Most payloads of a group. */
export const MAX_GROUP = 64;

/**
 * Several bodies of `/push` as one of `/pushes`.
 *
 * Layout: for each: length (4, big-endian) | body
 */
export function joinPushes(bodies: readonly Uint8Array[]): Uint8Array {
  const parts = bodies.flatMap((body) => {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(body.length);
    return [length, body];
  });
  return Buffer.concat(parts);
}

/**
 * The bodies in a body of `/pushes`, at most 64.
 * @throws MalformedPayloadError
 */
export function splitPushes(group: Buffer): Buffer[] {
  const bodies: Buffer[] = [];
  for (let at = 0; at < group.length;) {
    if (bodies.length === MAX_GROUP)
      throw new MalformedPayloadError(`a group has more than ${MAX_GROUP} payloads`);
    const start = at + LENGTH_BYTES;
    const end = start <= group.length ? start + group.readUInt32BE(at) : Infinity;
    if (end > group.length) throw new MalformedPayloadError('a group of payloads ends too early');
    bodies.push(group.subarray(start, end));
    at = end;
  }
  return bodies;
}

/** What a manager says of one pushed payload. */
export interface PushAnswer {
  /** Of HTTP. */
  readonly status: number;
  /** The hash in base64 when the payload was taken. */
  readonly text: string;
  /** Places of affected contracts that do not count there; absent where nothing is said of them. */
  readonly dropped?: readonly number[];
}

/**
 * The answer to a group: for each payload the status that it would have had by itself, its hash when it was accepted, and
 * the indexes of dropped contracts, if any.
 */
export function writeAnswers(answers: readonly PushAnswer[]): string {
  return answers.map(writeAnswer).join(',');
}

function writeAnswer({ status, text, dropped = [] }: PushAnswer): string {
  if (status >= 300) return `${status}`;
  return dropped.length === 0 ? `${status} ${text}` : `${status} ${text} ${writeDropped(dropped)}`;
}

/** Places of dropped contracts: `0.2`. */
export function writeDropped(dropped: readonly number[]): string {
  return dropped.join('.');
}

/** Most characters of that: places of a thousand contracts. */
const MAX_DROPPED = 4_000;

/** The places of a text; nothing when it is not that. */
export function readDropped(text: string): readonly number[] | undefined {
  return text.length <= MAX_DROPPED && /^\d+(\.\d+)*$/.test(text) ? text.split('.').map(Number) : undefined;
}

/** The answers for so many payloads; nothing when the text is not that. */
export function readAnswers(text: string, count: number): readonly PushAnswer[] | undefined {
  const answers = text.split(',', count + 1).map(readAnswer);
  if (answers.length !== count) return undefined;
  return answers.every((answer) => answer !== undefined) ? answers : undefined;
}

function readAnswer(words: string): PushAnswer | undefined {
  const [status = '', text = '', places, ...more] = words.split(' ', 4);
  if (!/^[2-5]\d\d$/.test(status) || more.length > 0) return undefined;
  if (places === undefined) return { status: Number(status), text };
  const dropped = readDropped(places);
  return dropped && { status: Number(status), text, dropped };
}
