import { pbkdf2, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { scryptAsync as portableScrypt } from '@noble/hashes/scrypt.js';

/** How the key of a V3 file follows from its password; the parameters as the file names them. */
export type KeyDerivation =
  | {
      readonly kdf: 'scrypt';
      readonly n: number;
      readonly r: number;
      readonly p: number;
      readonly salt: Uint8Array;
    }
  | { readonly kdf: 'pbkdf2'; readonly c: number; readonly salt: Uint8Array };

/** The 32 bytes that a password (UTF-8) gives. */
export type DeriveKey = (derivation: KeyDerivation, password: Uint8Array) => Promise<Uint8Array>;

/** Bytes of a derived key: 16 for AES, 16 for the MAC. */
export const DERIVED_BYTES = 32;

/** What OpenSSL may take beyond the table of scrypt itself, in bytes. */
const SCRYPT_SLACK = 2 ** 20;

const scryptAsync = promisify(scrypt) as (
  password: Uint8Array,
  salt: Uint8Array,
  length: number,
  options: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>;
const pbkdf2Async = promisify(pbkdf2);

/** Bytes of memory that the derivation takes: the table V of RFC 7914, 128·n·r, and p blocks of 128·r. */
export function derivationMemory(derivation: KeyDerivation): number {
  if (derivation.kdf === 'pbkdf2') return 0;
  const { n, r, p } = derivation;
  return 128 * r * (n + p + 2) + SCRYPT_SLACK;
}

/**
 * Whether OpenSSL computes it: it holds to the bound n < 2^(16·r) of RFC 7914, which the published vector of the V3
 * format itself breaks.
 */
export function isWithinRfc7914(derivation: KeyDerivation): boolean {
  return derivation.kdf === 'pbkdf2' || derivation.n < 2 ** (16 * derivation.r);
}

/** Derives on the process's own thread pool, which files and name look-ups share. */
export const deriveKey: DeriveKey = async (derivation, password) => {
  const { salt } = derivation;
  if (derivation.kdf === 'pbkdf2') return pbkdf2Async(password, salt, derivation.c, DERIVED_BYTES, 'sha256');
  const { n: N, r, p } = derivation;
  if (!isWithinRfc7914(derivation)) return portableScrypt(password, salt, { N, r, p, dkLen: DERIVED_BYTES });
  return scryptAsync(password, salt, DERIVED_BYTES, { N, r, p, maxmem: derivationMemory(derivation) });
};
