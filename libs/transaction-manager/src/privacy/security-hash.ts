import { sha3_512After } from '@tetrad/crypto';

/** The payload that created an affected contract, as its parties know it. */
export interface KnownCreation {
  readonly cipherText: Uint8Array;
  /** 32 bytes. */
  readonly masterKey: Uint8Array;
}

/**
 * Proof that the sender of a payload can read the payload that created an affected contract:
 *
 *   SHA3-512(ciphertext of the new payload | ciphertext of the creation | master key of the creation 32)
 *
 * Cost: the new ciphertext is hashed once for all creations
 *
 * @returns hashes with a creation; 64 bytes
 */
export function securityHasher(cipherText: Uint8Array): (creation: KnownCreation) => Uint8Array {
  const hashRest = sha3_512After(cipherText);
  return (creation) => hashRest(creation.cipherText, creation.masterKey);
}
