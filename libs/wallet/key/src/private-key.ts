import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import {
  addressFromPrivateKey,
  isPrivateKey,
  publicKeyFromPrivateKey,
  generatePrivateKey,
} from '@tetrad/crypto';
import { blsAddress, secp256k1Address, type CoinAddress } from './address/coin-address.js';
import { delegatedFromEthAddress } from './address/eth-address.js';
import { blsPublicKey, isBlsPrivateKey, blsPrivateKeyOf } from './signature/bls.js';
import type { KeyKind } from './signature/coin-signature.js';
import { CoinKeyError } from './key-error.js';

const KEY_BYTES = 32;

/**
 * A private key in memory. Whatever prints it prints a placeholder; its bytes are lent to one function at a time, and
 * zeros once it is wiped.
 *
 * The 32 bytes are big-endian for secp256k1 and delegated, LITTLE-endian for bls, as in key files.
 */
export class CoinPrivateKey {
  readonly kind: KeyKind;
  readonly #bytes: Uint8Array;
  #wiped = false;

  private constructor(kind: KeyKind, bytes: Uint8Array) {
    this.kind = kind;
    this.#bytes = bytes;
  }

  /**
   * Takes a copy of the bytes; the caller wipes its own.
   * @throws CoinKeyError (INVALID_PRIVATE_KEY) when they are not a scalar of the kind's group
   */
  static fromBytes(kind: KeyKind, bytes: Uint8Array): CoinPrivateKey {
    if (bytes.length !== KEY_BYTES) {
      throw invalid(`expected ${KEY_BYTES}-byte private key, got ${bytes.length} bytes`);
    }
    if (kind === 'bls' && !isBlsPrivateKey(bytes)) throw invalid('bls signature invalid private key');
    if (kind !== 'bls' && !isPrivateKey(bytes)) throw invalid(`${kind} invalid private key`);
    return new CoinPrivateKey(kind, Uint8Array.from(bytes));
  }

  /**
   * Lends the bytes, which `work` must neither keep nor return.
   * @throws CoinKeyError once wiped
   */
  use<Result>(work: (bytes: Uint8Array) => Result): Result {
    if (this.#wiped) throw invalid('the private key was wiped');
    return work(this.#bytes);
  }

  /** The address that the key signs for. */
  address(): CoinAddress {
    return this.use((bytes) => ADDRESS_OF[this.kind](bytes));
  }

  /** Overwrites the key. */
  wipe(): void {
    this.#bytes.fill(0);
    this.#wiped = true;
  }

  toString(): string {
    return `[${this.kind} private key]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

const ADDRESS_OF: Readonly<Record<KeyKind, (privateKey: Uint8Array) => CoinAddress>> = {
  secp256k1: (key) => secp256k1Address(Uint8Array.of(4, ...publicKeyFromPrivateKey(key))),
  bls: (key) => blsAddress(blsPublicKey(key)),
  delegated: (key) => delegatedFromEthAddress(addressFromPrivateKey(key)),
};

function invalid(message: string): CoinKeyError {
  return new CoinKeyError('INVALID_PRIVATE_KEY', message);
}

/** A key from the system's randomness. */
export function generateKey(kind: KeyKind): CoinPrivateKey {
  const entropy = randomBytes(32);
  const bytes = kind === 'bls' ? blsPrivateKeyOf(entropy) : generatePrivateKey();
  try {
    return CoinPrivateKey.fromBytes(kind, bytes);
  } finally {
    entropy.fill(0);
    bytes.fill(0);
  }
}
