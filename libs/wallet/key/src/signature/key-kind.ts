import { SIGNATURE_TYPE, type SignatureType } from './coin-signature.js';

/** Kinds of keys, as key files name them; each signs with one scheme. */
export const KEY_KINDS = ['secp256k1', 'bls', 'delegated'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** The scheme that a key of the kind signs with. */
export function signatureTypeOf(kind: KeyKind): SignatureType {
  return SIGNATURE_TYPE[kind];
}
