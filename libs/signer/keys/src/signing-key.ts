import {
  addressFromPublicKey,
  isPrivateKey,
  publicKeyFromPrivateKey,
  signDigest,
  type RecoverableSignature,
} from '@tetrad/crypto';
import type { Address } from '@tetrad/types';
import { KeyLoadError } from './key-load-error.js';

/** A key that signs, wherever it is: asynchronous, so that it may be in a vault that signs by itself. */
export interface SigningKey {
  readonly address: Address;
  /** 64 bytes x‖y. */
  readonly publicKey: Uint8Array;
  /** Signature of a 32-byte digest, s in the lower half. */
  sign(digest: Uint8Array): Promise<RecoverableSignature>;
  /** Why it cannot sign at present; undefined while it can, and for keys to which that does not happen. */
  readonly unavailable?: { readonly reason: string } | undefined;
  /** It is not used for new requests any more. */
  close?(): void;
}

/** A key in this process's memory; printed or serialised it shows only the address. */
export class MemoryKey implements SigningKey {
  readonly address: Address;
  readonly publicKey: Uint8Array;
  readonly #privateKey: Uint8Array;

  /** @param privateKey - 32 bytes, a scalar of the group; kept, not copied */
  constructor(privateKey: Uint8Array) {
    this.#privateKey = privateKey;
    this.publicKey = publicKeyFromPrivateKey(privateKey);
    this.address = addressFromPublicKey(this.publicKey);
  }

  async sign(digest: Uint8Array): Promise<RecoverableSignature> {
    return signDigest(digest, this.#privateKey);
  }
}

const HEX_KEY = /^(?:0x)?([0-9a-f]{64})$/i;

/**
 * The key that 64 hex digits spell, `0x` before them or not.
 * @param where - what the error calls the text, which it does not repeat
 * @throws KeyLoadError
 */
export function keyFromHex(text: string, where: string): MemoryKey {
  const digits = HEX_KEY.exec(text.trim())?.[1];
  const bytes = Buffer.from(digits ?? '', 'hex');
  if (!isPrivateKey(bytes)) throw new KeyLoadError(`${where}: not a secp256k1 private key in 64 hex digits`);
  return new MemoryKey(new Uint8Array(bytes));
}
