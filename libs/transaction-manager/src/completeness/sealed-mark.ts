import { randomBytes } from 'node:crypto';
import type { PtmKey } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { InvalidPublicKeyError, KEY_BYTES, keyFromBytes, keyToBytes } from '../keys/key-pair.js';

/** Header of announcements and of their answers; managers of the version before ignore it and never send it. */
export const SEALED_MARK_HEADER = 'tetrad-sealed-mark';

/** Most characters of the header: the longest mark that is kept fits. */
const MAX_HEADER = 1_024;
const MAX_MARK_BYTES = 384;
const QUESTION_BYTES = 16;
const ORDER_BYTES = 8;
/** So that there is a next one. */
const MAX_ORDER = Number.MAX_SAFE_INTEGER - 1;

/** So that nothing else that is sealed between two keys is ever taken for one of these, nor a request for an answer. */
const PURPOSES = {
  request: Buffer.from('tetrad mark request 1\n'),
  answer: Buffer.from('tetrad mark answer 1\n'),
} as const;

/** Whose mark it is, and who keeps it. */
export interface MarkParties {
  readonly owner: PtmKey;
  readonly keeper: PtmKey;
}

/** A mark that is kept: of all that its owner sent the one of the greatest order. */
export interface KeptMark {
  /** 0 when none came in a request. */
  readonly order: number;
  /** At most 384 bytes; empty without one. */
  readonly mark: Uint8Array;
}

/** Asks a keeper which mark it has, and has it keep this one instead, if there is one and its order is greater. */
export interface MarkRequest extends MarkParties, KeptMark {
  /** 16 random bytes that the answer repeats, so that no earlier answer can be replayed. */
  readonly question: Uint8Array;
}

export function newQuestion(): Uint8Array {
  return randomBytes(QUESTION_BYTES);
}

/**
 * A request as its owner sends it: the keeper knows who sent it and that it is for itself, and a stranger can change nothing.
 *
 * Layout: base64 of owner (32) | keeper (32) | nonce (24) | box between both of:
 *         purpose | owner (32) | keeper (32) | question (16) | order (8) | mark (0 to 384)
 *
 * @returns undefined when nothing can be sealed for the keeper
 */
export function writeMarkRequest(request: MarkRequest, enclave: Enclave): string | undefined {
  const { owner, keeper } = request;
  return withSharedKey(() => {
    const sealed = enclave.sealBetween(owner, keeper, messageOf('request', request));
    return Buffer.concat([keyToBytes(owner), keyToBytes(keeper), sealed]).toString('base64');
  });
}

/**
 * A request to us.
 * @param knows - whether a key is one of another manager, since each costs
 * @returns undefined for anything else
 */
export function readMarkRequest(
  header: unknown,
  enclave: Enclave,
  knows: (owner: PtmKey) => boolean,
): MarkRequest | undefined {
  const bytes = bytesOf(header);
  if (bytes === undefined || bytes.length < 2 * KEY_BYTES) return undefined;
  const owner = keyFromBytes(bytes.subarray(0, KEY_BYTES));
  const keeper = keyFromBytes(bytes.subarray(KEY_BYTES, 2 * KEY_BYTES));
  if (!enclave.ring.has(keeper) || !knows(owner)) return undefined;
  const message = withSharedKey(() => enclave.openBetween(keeper, owner, bytes.subarray(2 * KEY_BYTES)));
  return message && readMessage('request', message, { owner, keeper });
}

/** Layout: base64 of nonce (24) | box between both of what a request has, with the question of the request */
export function writeMarkAnswer(
  { owner, keeper, question }: MarkRequest,
  kept: KeptMark,
  enclave: Enclave,
): string {
  const message = messageOf('answer', { owner, keeper, question, ...kept });
  return Buffer.from(enclave.sealBetween(keeper, owner, message)).toString('base64');
}

/** What the keeper has; undefined for anything but its answer to this request. */
export function readMarkAnswer(
  header: unknown,
  { owner, keeper, question }: Omit<MarkRequest, keyof KeptMark>,
  enclave: Enclave,
): KeptMark | undefined {
  const bytes = bytesOf(header);
  const message = bytes && withSharedKey(() => enclave.openBetween(owner, keeper, bytes));
  const answer = message && readMessage('answer', message, { owner, keeper });
  return answer !== undefined && Buffer.compare(answer.question, question) === 0 ? answer : undefined;
}

function messageOf(
  purpose: keyof typeof PURPOSES,
  { owner, keeper, question, order, mark }: MarkRequest,
): Uint8Array {
  const number = Buffer.alloc(ORDER_BYTES);
  number.writeBigUInt64BE(BigInt(order));
  return Buffer.concat([PURPOSES[purpose], keyToBytes(owner), keyToBytes(keeper), question, number, mark]);
}

function readMessage(
  purpose: keyof typeof PURPOSES,
  message: Uint8Array,
  parties: MarkParties,
): MarkRequest | undefined {
  const head = Buffer.concat([PURPOSES[purpose], keyToBytes(parties.owner), keyToBytes(parties.keeper)]);
  const rest = Buffer.from(message).subarray(head.length);
  const markAt = QUESTION_BYTES + ORDER_BYTES;
  if (!head.equals(message.subarray(0, head.length))) return undefined;
  if (rest.length < markAt || rest.length > markAt + MAX_MARK_BYTES) return undefined;
  const order = rest.readBigUInt64BE(QUESTION_BYTES);
  if (order > MAX_ORDER) return undefined;
  return {
    ...parties,
    question: rest.subarray(0, QUESTION_BYTES),
    order: Number(order),
    mark: rest.subarray(markAt),
  };
}

function bytesOf(header: unknown): Buffer | undefined {
  if (typeof header !== 'string' || header.length > MAX_HEADER) return undefined;
  return Buffer.from(header, 'base64');
}

/** @returns undefined where the key of the other manager is one with which nothing can be encrypted */
function withSharedKey<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (error instanceof InvalidPublicKeyError) return undefined;
    throw error;
  }
}
