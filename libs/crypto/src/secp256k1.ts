import { TetradError, addressFromBytes, type Address } from '@tetrad/types';
import secp256k1 from 'secp256k1';
import { keccak256 } from './keccak.js';

/** An ECDSA signature over secp256k1 with s in the lower half of the group order. */
export interface RecoverableSignature {
  /** 32 bytes, big-endian. */
  readonly r: Uint8Array;
  /** 32 bytes, big-endian. */
  readonly s: Uint8Array;
  /** Selects one of the two candidate public keys. */
  readonly parity: 0 | 1;
}

/** The bytes are not a valid public key or signature. */
export class InvalidSignatureError extends TetradError {
  override readonly name = 'InvalidSignatureError';
  override readonly code = 'UNRECOVERABLE_SIGNATURE';
}

/** Half of the group order, the bound of EIP-2 for s. Source: SEC 2, section 2.4.1. */
export const SECP256K1_HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Group order. Source: SEC 2, section 2.4.1. */
export const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Whether the 32 bytes are a scalar of the group other than zero. */
export function isPrivateKey(bytes: Uint8Array): boolean {
  return bytes.length === 32 && secp256k1.privateKeyVerify(bytes);
}

declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

/** A private key from the system's randomness. */
export function generatePrivateKey(): Uint8Array {
  for (;;) {
    const candidate = crypto.getRandomValues(new Uint8Array(32));
    if (isPrivateKey(candidate)) return candidate;
  }
}

/** Deterministic (RFC 6979) signature of a 32-byte digest. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): RecoverableSignature {
  const { signature, recid } = secp256k1.ecdsaSign(digest, privateKey);
  return { r: signature.slice(0, 32), s: signature.slice(32), parity: recid === 0 ? 0 : 1 };
}

/** The 64 bytes x‖y of the private key's point. */
export function publicKeyFromPrivateKey(privateKey: Uint8Array): Uint8Array {
  return secp256k1.publicKeyCreate(privateKey, false).slice(1);
}

/** Whether the 64 bytes x‖y are a point of the curve, and so a valid public key. */
export function isPublicKey(publicKey: Uint8Array): boolean {
  return publicKey.length === 64 && secp256k1.publicKeyVerify(Uint8Array.of(4, ...publicKey));
}

/**
 * Recovers the key that signed a digest.
 *
 * @param compact - r (32) ‖ s (32)
 * @param digest - 32 bytes
 * @returns the 64 bytes x‖y; undefined when no key can have made the signature, or the lengths are others
 */
export type RecoverKey = (compact: Uint8Array, parity: 0 | 1, digest: Uint8Array) => Uint8Array | undefined;

/** By the package secp256k1: everywhere, in browsers too. */
export const recoverByPackage: RecoverKey = (compact, parity, digest) => {
  try {
    return secp256k1.ecdsaRecover(compact, parity, digest, false).slice(1);
  } catch {
    return undefined;
  }
};

let recoverKey = recoverByPackage;

/** Has `recoverPublicKey` recover in another way from now on, in this thread. The way must have the same results. */
export function useRecovery(recover: RecoverKey): void {
  recoverKey = recover;
}

/**
 * The 64 bytes x‖y of the key that signed the digest.
 * @throws InvalidSignatureError when no key can have made the signature
 */
export function recoverPublicKey(digest: Uint8Array, signature: RecoverableSignature): Uint8Array {
  const compact = new Uint8Array(64);
  compact.set(signature.r);
  compact.set(signature.s, 32);
  const key = recoverKey(compact, signature.parity, digest);
  if (key === undefined) throw new InvalidSignatureError('no public key fits the signature');
  return key;
}

/** The last 20 bytes of the Keccak-256 of a 64-byte public key. */
export function addressFromPublicKey(publicKey: Uint8Array): Address {
  return addressFromBytes(keccak256(publicKey).subarray(12));
}

export function addressFromPrivateKey(privateKey: Uint8Array): Address {
  return addressFromPublicKey(publicKeyFromPrivateKey(privateKey));
}

/**
 * The address whose key signed the digest.
 * @throws InvalidSignatureError
 */
export function recoverAddress(digest: Uint8Array, signature: RecoverableSignature): Address {
  return addressFromPublicKey(recoverPublicKey(digest, signature));
}

/** Layout: r (32) ‖ s (32) ‖ parity (1), 65 bytes. */
export function encodeSignature65(signature: RecoverableSignature): Uint8Array {
  const bytes = new Uint8Array(65);
  bytes.set(signature.r);
  bytes.set(signature.s, 32);
  bytes[64] = signature.parity;
  return bytes;
}

/**
 * Reads r ‖ s ‖ parity.
 * @throws InvalidSignatureError on another length or a parity other than 0 and 1
 */
export function decodeSignature65(bytes: Uint8Array): RecoverableSignature {
  const parity = bytes[64];
  if (bytes.length !== 65 || (parity !== 0 && parity !== 1)) {
    throw new InvalidSignatureError('a signature has 65 bytes, the last of them 0 or 1');
  }
  return { r: bytes.slice(0, 32), s: bytes.slice(32, 64), parity };
}
