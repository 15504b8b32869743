import { toBase64 } from '../payload/base64.js';
import type { EncodedPayload } from '../payload/encoded-payload.js';

/** A payload that created a contract which a transaction affects, as this manager has it. */
export interface KnownPayload {
  /** 64 bytes. */
  readonly hash: Uint8Array;
  /** Nothing that keeps its bytes, of which many creations together have too many. */
  readonly payload: Pick<EncodedPayload, 'sender' | 'recipientKeys' | 'privacyFlag' | 'mandatoryRecipients'>;
  /** Proves that the sender of the payload which affects the contract knows this one, 64 bytes. */
  readonly securityHash: Uint8Array;
}

/** Payloads by the base64 of their hashes. */
export type KnownPayloads = ReadonlyMap<string, KnownPayload>;

export function knownPayloads(payloads: readonly KnownPayload[]): KnownPayloads {
  return new Map(payloads.map((known) => [toBase64(known.hash), known]));
}

/** Whether both hold the same, in whatever order. */
export function sameSet<T>(left: readonly T[], right: readonly T[]): boolean {
  const [a, b] = [new Set(left), new Set(right)];
  return a.size === b.size && [...a].every((item) => b.has(item));
}

/** Whether all of `part` are among `whole`. */
export function includesAll<T>(whole: readonly T[], part: readonly T[]): boolean {
  const items = new Set(whole);
  return part.every((item) => items.has(item));
}
