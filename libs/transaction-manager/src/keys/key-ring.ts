import { LRUCache } from 'lru-cache';
import { TetradError, type PtmKey } from '@tetrad/types';
import { sharedKey } from '../enclave/secretbox.js';
import type { KeyPair } from './key-pair.js';

/** Shared keys that are remembered; each is 32 bytes. */
const MAX_SHARED_KEYS = 10_000;

/** The key pairs of one manager. */
export class KeyRing {
  private readonly pairs: ReadonlyMap<PtmKey, KeyPair>;
  private readonly shared = new LRUCache<string, Uint8Array>({ max: MAX_SHARED_KEYS });

  /**
   * @param pairs - at least one; the first one sends what names no sender
   * @throws TypeError for none
   */
  constructor(pairs: readonly KeyPair[]) {
    if (pairs.length === 0) throw new TypeError('a transaction manager needs a key pair');
    this.pairs = new Map(pairs.map((pair) => [pair.publicKey, pair]));
  }

  /** The public keys, in the order they were given. */
  get keys(): PtmKey[] {
    return [...this.pairs.keys()];
  }

  /** The sender of requests that name none. */
  get first(): PtmKey {
    return this.keys[0] as PtmKey;
  }

  has(key: PtmKey): boolean {
    return this.pairs.has(key);
  }

  /**
   * The secret between a key of ours and any other.
   * @throws UnknownKeyError; InvalidPublicKeyError
   */
  sharedKey(own: PtmKey, other: PtmKey): Uint8Array {
    const pair = this.pairs.get(own);
    if (pair === undefined) throw new UnknownKeyError(own);
    const name = own + other;
    const known = this.shared.get(name);
    if (known !== undefined) return known;
    const made = sharedKey(pair.privateKey, other);
    this.shared.set(name, made);
    return made;
  }
}

/** A public key whose private key is not here. */
export class UnknownKeyError extends TetradError {
  override readonly name = 'UnknownKeyError';
  override readonly code = 'UNKNOWN_KEY';

  constructor(readonly key: PtmKey) {
    super(`Public key ${key} not found when searching for private key`);
  }
}
