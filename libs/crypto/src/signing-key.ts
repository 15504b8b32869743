import type { Address } from '@tetrad/types';
import {
  addressFromPrivateKey,
  publicKeyFromPrivateKey,
  signDigest,
  type RecoverableSignature,
} from './secp256k1.js';

/** A secp256k1 key that signs digests of 32 bytes: in memory, or in an HSM or key service. */
export interface SigningKey {
  readonly address: Address;
  /** 64 bytes x‖y. */
  readonly publicKey: Uint8Array;
  /** @throws RequestError KEY_UNAVAILABLE when the key is in a service that does not sign */
  readonly sign: (digest: Uint8Array) => Promise<RecoverableSignature>;
  /** Of a key in memory: the same without a turn of the event loop. */
  readonly signNow?: (digest: Uint8Array) => RecoverableSignature;
}

/** @param privateKey - 32 bytes, which are kept */
export function signingKeyOf(privateKey: Uint8Array): SigningKey {
  return {
    address: addressFromPrivateKey(privateKey),
    publicKey: publicKeyFromPrivateKey(privateKey),
    sign: async (digest) => signDigest(digest, privateKey),
    signNow: (digest) => signDigest(digest, privateKey),
  };
}
