import { signRecoverableDigest } from './recoverable.js';

export const KEY_BYTES = 32;
export const DIGEST_BYTES = 32;
export const SIGNATURE_BYTES = 65;

/**
 * A batch of digests to sign with secp256k1 on another thread.
 *
 * Layout: keys — n × key (32); digests — n × digest (32); the answer is n × signature (65)
 */
export interface SignAllJob {
  readonly do: 'sign-all';
  /** Copies, which are wiped after use. */
  readonly keys: Uint8Array;
  readonly digests: Uint8Array;
}

export function signAll({ keys, digests }: SignAllJob): Uint8Array {
  const count = digests.length / DIGEST_BYTES;
  const signatures = new Uint8Array(count * SIGNATURE_BYTES);
  try {
    for (let index = 0; index < count; index++) {
      const key = keys.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES);
      const digest = digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES);
      signatures.set(signRecoverableDigest(key, digest), index * SIGNATURE_BYTES);
    }
    return signatures;
  } finally {
    keys.fill(0);
  }
}
