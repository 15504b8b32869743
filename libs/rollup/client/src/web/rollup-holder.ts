import { isPrivateKey } from '@tetrad/crypto';
import { encodePoint } from '@tetrad/rollup-crypto';
import { OperatorError, bytesFromHex, hexFromBytes } from '@tetrad/types';
import { deriveRollupKeys } from '../keys/rollup-keys.js';
import { keepKeys } from './holder-keys.js';

/** The holder of an account of the rollup, by what everyone may know. */
export interface RollupHolder {
  /** The account of Ethereum that has the same secret. */
  readonly address: `0x${string}`;
  /** By which operators know the account. */
  readonly publicKey: `0x${string}`;
}

/**
 * The holder whose keys follow from a secret (docs/adr/0094), the same in every client.
 *
 * @param secret - 32 bytes, a private key of Ethereum
 * @returns the holder
 * @throws OperatorError for what is no such key
 */
export function rollupHolder(secret: `0x${string}` | Uint8Array): RollupHolder {
  const bytes = typeof secret === 'string' ? bytesOf(secret) : secret.slice();
  if (!isPrivateKey(bytes)) throw new OperatorError('secret: must be 32 bytes, a private key of Ethereum');
  const keys = deriveRollupKeys(bytes);
  const holder = { address: keys.address, publicKey: hexFromBytes(encodePoint(keys.publicKey)) };
  keepKeys(holder, keys);
  return holder;
}

function bytesOf(secret: string): Uint8Array {
  try {
    return bytesFromHex(secret);
  } catch {
    // Its own error would show the secret.
    return new Uint8Array();
  }
}
