import { createCipheriv, createDecipheriv } from 'node:crypto';
import { TetradError } from '@tetrad/types';

/** Use of a frame: part of the authenticated data, so that a frame of one use is not valid for another. */
export const FRAME_CODES = { welcome: 1, push: 2, request: 3, stream: 4 } as const;

export type FrameKind = keyof typeof FRAME_CODES;

/** A frame that the other side of the session did not make, or a replayed one; the message says which. */
export class FrameError extends TetradError {
  override readonly name = 'FrameError';
  override readonly code = 'BAD_FRAME';
}

const TAG_BYTES = 16;
const COUNTER_BYTES = 8;
/** Bytes of a frame besides what it carries. */
export const FRAME_OVERHEAD = COUNTER_BYTES + TAG_BYTES;
const DOMAIN = Buffer.from('tetrad/p2p/v1', 'ascii');

export interface FrameContext {
  readonly key: Uint8Array;
  readonly sessionId: Uint8Array;
  readonly kind: FrameKind;
  /** An answer carries the counter of what it answers. */
  readonly isAnswer: boolean;
  readonly counter: number;
}

/**
 * Layout: counter (8) ‖ ciphertext ‖ tag (16), AES-256-GCM with
 * nonce: isAnswer (4) ‖ counter (8)
 * associated data: "tetrad/p2p/v1" (13) ‖ session id (16) ‖ kind (1) ‖ isAnswer (1)
 *
 * A key belongs to one direction of one session, and a counter is used once per direction for messages and once for
 * answers: no nonce comes twice under a key. Source: NIST SP 800-38D, section 8.2.1
 */
export function sealFrame(context: FrameContext, plaintext: Uint8Array): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', context.key, nonceOf(context));
  cipher.setAAD(associatedData(context));
  const body = cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([counterBytes(context.counter), body, cipher.getAuthTag()]);
}

/** @throws FrameError when it was not sealed with the key in this context */
export function openFrame(context: FrameContext, frame: Uint8Array): Uint8Array {
  if (frame.length < FRAME_OVERHEAD) throw new FrameError('truncated');
  const decipher = createDecipheriv('aes-256-gcm', context.key, nonceOf(context));
  decipher.setAAD(associatedData(context));
  decipher.setAuthTag(frame.subarray(frame.length - TAG_BYTES));
  const plaintext = decipher.update(frame.subarray(COUNTER_BYTES, frame.length - TAG_BYTES));
  try {
    decipher.final();
  } catch {
    throw new FrameError('not authentic');
  }
  return plaintext;
}

/**
 * The counter in front of a frame.
 * @throws FrameError
 */
export function counterOf(frame: Uint8Array): number {
  if (frame.length < FRAME_OVERHEAD) throw new FrameError('truncated');
  const counter = Buffer.from(frame.buffer, frame.byteOffset, COUNTER_BYTES).readBigUInt64BE();
  if (counter > BigInt(Number.MAX_SAFE_INTEGER)) throw new FrameError('not authentic');
  return Number(counter);
}

function nonceOf({ isAnswer, counter }: FrameContext): Uint8Array {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(isAnswer ? 1 : 0);
  nonce.writeBigUInt64BE(BigInt(counter), 4);
  return nonce;
}

function associatedData({ sessionId, kind, isAnswer }: FrameContext): Uint8Array {
  return Buffer.concat([DOMAIN, sessionId, Uint8Array.of(FRAME_CODES[kind], isAnswer ? 1 : 0)]);
}

function counterBytes(counter: number): Uint8Array {
  const bytes = Buffer.alloc(COUNTER_BYTES);
  bytes.writeBigUInt64BE(BigInt(counter));
  return bytes;
}
