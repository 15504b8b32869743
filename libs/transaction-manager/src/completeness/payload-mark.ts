import type { Enclave } from '../enclave/enclave.js';

/** Header of announcements and of their answers, by which managers of the version before have marks kept. */
export const MARK_HEADER = 'tetrad-payload-mark';

/** How far the rows of a manager have come. */
export interface PayloadPosition {
  /** 16 bytes, new whenever the manager has become complete. */
  readonly epoch: Uint8Array;
  /** Since when it is complete. Units: ms since the epoch */
  readonly sinceMs: number;
  /** That of the newest payload and one more; grows with each, and never goes back. */
  readonly sequence: number;
}

/** So that nothing else that is sealed for the own key is ever taken for a mark. */
const PURPOSE = Buffer.from('tetrad payload mark 1\n');
const EPOCH_BYTES = 16;
const MAX_HEADER = 512;

/**
 * A position that a peer keeps for this manager, sealed for its first key alone: the peer can neither read nor make one.
 *
 * Layout: base64 of nonce (24) | box between the key and itself of: purpose | epoch (16) | since (8) | sequence (8)
 */
export function writeMark({ epoch, sinceMs, sequence }: PayloadPosition, enclave: Enclave): string {
  const numbers = Buffer.alloc(16);
  numbers.writeBigUInt64BE(BigInt(sinceMs), 0);
  numbers.writeBigUInt64BE(BigInt(sequence), 8);
  const { first } = enclave.ring;
  return Buffer.from(enclave.sealBetween(first, first, Buffer.concat([PURPOSE, epoch, numbers]))).toString(
    'base64',
  );
}

/** The position in a mark of this manager; undefined for anything else. */
export function readMark(header: string, enclave: Enclave): PayloadPosition | undefined {
  if (header.length > MAX_HEADER) return undefined;
  const { first } = enclave.ring;
  const message = enclave.openBetween(first, first, Buffer.from(header, 'base64'));
  const text = Buffer.from(message ?? []);
  if (text.length !== PURPOSE.length + EPOCH_BYTES + 16) return undefined;
  if (!text.subarray(0, PURPOSE.length).equals(PURPOSE)) return undefined;
  const rest = text.subarray(PURPOSE.length);
  return {
    epoch: rest.subarray(0, EPOCH_BYTES),
    sinceMs: Number(rest.readBigUInt64BE(EPOCH_BYTES)),
    sequence: Number(rest.readBigUInt64BE(EPOCH_BYTES + 8)),
  };
}

/** Whether the rows are older than they were once: of the same epoch and behind, or of an epoch before a later one. */
export function isSetBack(now: PayloadPosition, once: PayloadPosition): boolean {
  return Buffer.compare(now.epoch, once.epoch) === 0
    ? now.sequence < once.sequence
    : now.sinceMs < once.sinceMs;
}

export function isSamePosition(one: PayloadPosition, other: PayloadPosition): boolean {
  return Buffer.compare(one.epoch, other.epoch) === 0 && one.sequence === other.sequence;
}

/** A mark that a peer sends, to be kept for it; undefined for one that is malformed. */
export function parseForeignMark(header: unknown): Buffer | undefined {
  if (typeof header !== 'string' || header.length > MAX_HEADER || header === '') return undefined;
  const bytes = Buffer.from(header, 'base64');
  return bytes.toString('base64') === header ? bytes : undefined;
}
