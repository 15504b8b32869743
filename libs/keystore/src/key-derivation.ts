import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { scryptAsync as portableScrypt } from '@noble/hashes/scrypt.js';
import { scrypt, scryptMemory, type ScryptCost } from '@tetrad/crypto';

/** How the key of a V3 file is derived from its password; the parameters as the file names them. */
export type KeyDerivation =
  | ({ readonly kdf: 'scrypt'; readonly salt: Uint8Array } & ScryptCost)
  | { readonly kdf: 'pbkdf2'; readonly c: number; readonly salt: Uint8Array };

/** Derives 32 bytes from a password (UTF-8). */
export type DeriveKey = (derivation: KeyDerivation, password: Uint8Array) => Promise<Uint8Array>;

/** Bytes of a derived key: 16 for AES, 16 for the MAC. */
export const DERIVED_BYTES = 32;

const pbkdf2Async = promisify(pbkdf2);

/** Bytes of memory that the derivation takes. */
export function derivationMemory(derivation: KeyDerivation): number {
  return derivation.kdf === 'scrypt' ? scryptMemory(derivation) : 0;
}

/**
 * Whether OpenSSL computes it: it enforces the bound n < 2^(16·r) of RFC 7914, which the published vector of the V3
 * format itself breaks.
 */
export function isWithinRfc7914(derivation: KeyDerivation): boolean {
  return derivation.kdf === 'pbkdf2' || derivation.n < 2 ** (16 * derivation.r);
}

/** Derives on the process's own thread pool, which files and name look-ups share. */
export const deriveKey: DeriveKey = async (derivation, password) => {
  const { salt } = derivation;
  if (derivation.kdf === 'pbkdf2') return pbkdf2Async(password, salt, derivation.c, DERIVED_BYTES, 'sha256');
  const { n, r, p } = derivation;
  if (!isWithinRfc7914(derivation))
    return portableScrypt(password, salt, { N: n, r, p, dkLen: DERIVED_BYTES });
  return scrypt(password, salt, { n, r, p, length: DERIVED_BYTES });
};
