import type { Introduction } from '../wire/introduction.js';

/** Versions of the peer protocol, inclusive. */
export interface Versions {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Versions that this node speaks: adjacent ones, so that the nodes of a network are upgraded one after the other. A newer
 * version only adds; the table of what each adds is in docs/spec/peer-protocol.md.
 */
export const SPOKEN: Versions = { oldest: 1, newest: 3 };

/** The first version whose nodes answer questions about the state. */
export const FIRST_WITH_STATE = 3;

/** The first version whose introductions say which versions a node speaks. Before it a node speaks one. */
export const FIRST_RANGED = 2;

/** The newest version that both speak; undefined when there is none. */
export function agreedVersion(own: Versions, other: Versions): number | undefined {
  const version = Math.min(own.newest, other.newest);
  return version >= own.oldest && version >= other.oldest ? version : undefined;
}

/** The versions that an introduction names. */
export function versionsOf({ version, oldest }: Pick<Introduction, 'version' | 'oldest'>): Versions {
  return { oldest, newest: version };
}

/** Ends the nonce of a dialer that speaks version 2 and was refused it. */
const FALLBACK_MARK = Buffer.from('speaks 2');

/** A nonce with the mark. Nonces are signed, so no one on the way can make two nodes of version 2 speak version 1. */
export function markFallback(nonce: Uint8Array): Uint8Array {
  const marked = Uint8Array.from(nonce);
  marked.set(FALLBACK_MARK, marked.length - FALLBACK_MARK.length);
  return marked;
}

export function isFallback(nonce: Uint8Array): boolean {
  return FALLBACK_MARK.equals(nonce.subarray(nonce.length - FALLBACK_MARK.length));
}
