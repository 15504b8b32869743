import { sha3_512 } from '@tetrad/crypto';

/**
 * Proof that the sender of a payload can read the payload that created an affected contract:
 *
 *   SHA3-512(ciphertext of the new payload | ciphertext of the creation | master key of the creation 32)
 *
 * Out: 64 bytes
 */
export function securityHash(
  cipherText: Uint8Array,
  affected: { readonly cipherText: Uint8Array; readonly masterKey: Uint8Array },
): Uint8Array {
  return sha3_512(Buffer.concat([cipherText, affected.cipherText, affected.masterKey]));
}
