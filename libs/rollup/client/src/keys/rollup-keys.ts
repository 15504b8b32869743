import { hkdf } from '@noble/hashes/hkdf.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { addressFromPrivateKey } from '@tetrad/crypto';
import {
  GROUP_ORDER,
  decodeWord,
  modulo,
  multiplyGenerator,
  type JointKey,
  type Point,
} from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';

/** All keys of an account holder; they follow from one secret. Never print one. */
export interface RollupKeys {
  /** Signs operations of the account. */
  readonly secretKey: bigint;
  readonly publicKey: Point;
  /** Opens what is encrypted to the user's half of the joint key. */
  readonly encryptionKey: bigint;
  readonly encryptionPoint: Point;
  /** The secret itself, which signs Ethereum transactions: deposits. 32 bytes */
  readonly ethereumKey: Uint8Array;
  readonly address: Address;
}

/**
 * The keys of a secret, which is also the key of an Ethereum account (docs/adr/0094).
 *
 * Each scalar is `HKDF-SHA-512(secret(32), no salt, info, 64)` modulo n − 1, plus 1; the info is the text below.
 *
 * @param secret - 32 bytes, a key of secp256k1
 */
export function deriveRollupKeys(secret: Uint8Array): RollupKeys {
  const secretKey = scalarOf(secret, 'tetrad rollup account key');
  const encryptionKey = scalarOf(secret, 'tetrad rollup encryption key');
  return {
    secretKey,
    publicKey: multiplyGenerator(secretKey),
    encryptionKey,
    encryptionPoint: multiplyGenerator(encryptionKey),
    ethereumKey: secret,
    address: addressFromPrivateKey(secret),
  };
}

function scalarOf(secret: Uint8Array, info: string): bigint {
  const bytes = hkdf(sha512, secret, undefined, new TextEncoder().encode(info), 64);
  return modulo((decodeWord(bytes) << 256n) | decodeWord(bytes, 32), GROUP_ORDER - 1n) + 1n;
}

/** What others encrypt to, so that this user and the operator can read it. */
export function jointKeyOf({ encryptionPoint }: RollupKeys, operatorKey: Point): JointKey {
  return { user: encryptionPoint, operator: operatorKey };
}
