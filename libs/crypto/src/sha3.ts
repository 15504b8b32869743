import { createHash } from 'node:crypto';

/** SHA3-512 in 64 bytes, as the private transaction manager names payloads. */
export function sha3_512(bytes: Uint8Array): Uint8Array {
  return createHash('sha3-512').update(bytes).digest();
}

/**
 * SHA3-512 of messages that begin alike.
 *
 * @param beginning hashed once for all of them
 * @returns hashes a message by its rest, in 64 bytes
 */
export function sha3_512After(beginning: Uint8Array): (...rest: readonly Uint8Array[]) => Uint8Array {
  const begun = createHash('sha3-512').update(beginning);
  return (...rest) => {
    const hash = begun.copy();
    for (const part of rest) hash.update(part);
    return hash.digest();
  };
}
