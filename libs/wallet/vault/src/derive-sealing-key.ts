import { createSecretKey, scrypt, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { VaultRow } from '@tetrad/wallet-store';
import { VaultError } from './vault-error.js';

/** Cost of guessing a passphrase; 128·N·r bytes of memory and, at the default, some 0.4 s. Source: RFC 7914. */
export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

export const DEFAULT_SCRYPT_COST: ScryptCost = { n: 2 ** 17, r: 8, p: 1 };

/** What is read from the database is held to this, so that a changed row cannot take the machine's memory or time. */
const BOUNDS = { minN: 2 ** 10, maxN: 2 ** 20, maxR: 16, maxP: 4, minSalt: 16, maxSalt: 64 };

const scryptAsync = promisify(scrypt) as (
  passphrase: string,
  salt: Uint8Array,
  bytes: number,
  options: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>;

/** The 32-byte key of AES-256 that a passphrase gives. Fails: VaultError when the parameters are out of bounds */
export async function deriveSealingKey(
  passphrase: string,
  parameters: Pick<VaultRow, 'kdf' | 'scryptN' | 'scryptR' | 'scryptP' | 'salt'>,
): Promise<KeyObject> {
  const { scryptN: N, scryptR: r, scryptP: p, salt } = parameters;
  assertWithinBounds(parameters);
  const bytes = await scryptAsync(passphrase, salt, 32, { N, r, p, maxmem: 128 * r * (N + p + 2) });
  try {
    return createSecretKey(bytes);
  } finally {
    bytes.fill(0);
  }
}

function assertWithinBounds(parameters: Parameters<typeof deriveSealingKey>[1]): void {
  const { kdf, scryptN: n, scryptR: r, scryptP: p, salt } = parameters;
  const damaged = (column: string) => new VaultError(`vault row: ${column} is damaged`);
  if (kdf !== 'scrypt') throw damaged('kdf');
  if (n < BOUNDS.minN || n > BOUNDS.maxN || (n & (n - 1)) !== 0) throw damaged('scrypt_n');
  if (r < 1 || r > BOUNDS.maxR) throw damaged('scrypt_r');
  if (p < 1 || p > BOUNDS.maxP) throw damaged('scrypt_p');
  if (salt.length < BOUNDS.minSalt || salt.length > BOUNDS.maxSalt) throw damaged('salt');
}
