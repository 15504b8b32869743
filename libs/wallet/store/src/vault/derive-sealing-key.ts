import { createSecretKey, type KeyObject } from 'node:crypto';
import { scrypt, type ScryptCost } from '@tetrad/crypto';
import { OperatorError } from '@tetrad/types';
import type { SealingParameters } from '../wallet-rows.js';

/** The keys cannot be opened; the message says why and names no secret. */
export class SealingError extends OperatorError {
  override readonly name: string = 'SealingError';
  override readonly code: 'SEALING' | 'DAMAGED_KEY' = 'SEALING';
}

/** A sealed key that does not open: its row was changed by another program, or belongs to another address. */
export class DamagedKeyError extends SealingError {
  override readonly name = 'DamagedKeyError';
  override readonly code = 'DAMAGED_KEY';
}

/** Of guessing a passphrase: 128 MiB of memory and some 0.4 s. */
export const DEFAULT_SCRYPT_COST: ScryptCost = { n: 2 ** 17, r: 8, p: 1 };

/** Of a key of AES-256. */
const KEY_BYTES = 32;

/** Bounds of parameters from the database, so that a changed row cannot exhaust the host's memory or time. */
const BOUNDS = { minN: 2 ** 10, maxN: 2 ** 20, maxR: 16, maxP: 4, minSalt: 16, maxSalt: 64 };

/**
 * The 32-byte key of AES-256 that a passphrase gives.
 * @throws SealingError when the parameters are out of bounds
 */
export async function deriveSealingKey(
  passphrase: string,
  parameters: Pick<SealingParameters, 'kdf' | 'scryptN' | 'scryptR' | 'scryptP' | 'salt'>,
): Promise<KeyObject> {
  const { scryptN: n, scryptR: r, scryptP: p, salt } = parameters;
  assertWithinBounds(parameters);
  const bytes = await scrypt(passphrase, salt, { n, r, p, length: KEY_BYTES });
  try {
    return createSecretKey(bytes);
  } finally {
    bytes.fill(0);
  }
}

function assertWithinBounds(parameters: Parameters<typeof deriveSealingKey>[1]): void {
  const { kdf, scryptN: n, scryptR: r, scryptP: p, salt } = parameters;
  const damaged = (column: string) => new SealingError(`vault row: ${column} is damaged`);
  if (kdf !== 'scrypt') throw damaged('kdf');
  if (n < BOUNDS.minN || n > BOUNDS.maxN || (n & (n - 1)) !== 0) throw damaged('scrypt_n');
  if (r < 1 || r > BOUNDS.maxR) throw damaged('scrypt_r');
  if (p < 1 || p > BOUNDS.maxP) throw damaged('scrypt_p');
  if (salt.length < BOUNDS.minSalt || salt.length > BOUNDS.maxSalt) throw damaged('salt');
}
