import {
  InvalidSignatureError,
  blake2b256,
  decodeSignature65,
  encodeSignature65,
  isPrivateKey,
  keccak256,
  recoverAddress,
  recoverPublicKey,
  signDigest,
  type RecoverableSignature,
} from '@tetrad/crypto';
import { TetradError } from '@tetrad/types';
import { ethAddressOf } from '../address/eth-address.js';
import { secp256k1Address, type CoinAddress } from '../address/coin-address.js';

/** Something cannot be signed with the key given; the message says why and never holds anything of the key. */
export class SigningError extends TetradError {
  override readonly name = 'SigningError';

  constructor(
    override readonly code: 'INVALID_KEY' | 'DATA_TOO_LONG' | 'POOL_FULL' | 'POOL_CLOSED',
    message: string,
  ) {
    super(message);
  }
}

/**
 * The two schemes on secp256k1. Both sign a digest of the data deterministically (RFC 6979) with s in the lower half.
 *
 * Layout of a signature: r (32) ‖ s (32) ‖ v (1), v being 0 or 1. An s in the upper half is never made, but verifies,
 * as it does on the chain.
 */
export const DIGEST = { secp256k1: blake2b256, delegated: keccak256 } as const;

/**
 * 65 bytes.
 * @throws SigningError (INVALID_KEY)
 */
export function signRecoverable(
  kind: keyof typeof DIGEST,
  privateKey: Uint8Array,
  data: Uint8Array,
): Uint8Array {
  assertPrivateKey(privateKey);
  return signRecoverableDigest(privateKey, DIGEST[kind](data));
}

/**
 * 65 bytes.
 * @param privateKey - one that `assertPrivateKey` takes
 */
export function signRecoverableDigest(privateKey: Uint8Array, digest: Uint8Array): Uint8Array {
  return encodeSignature65(signDigest(digest, privateKey));
}

/** @throws SigningError INVALID_KEY when the bytes are not a scalar of the group other than zero */
export function assertPrivateKey(privateKey: Uint8Array): void {
  if (!isPrivateKey(privateKey)) throw new SigningError('INVALID_KEY', 'secp256k1 invalid private key');
}

/** Whether the key behind the address of protocol 1 signed the BLAKE2b-256 of the data. */
export function verifySecp256k1(address: CoinAddress, data: Uint8Array, signature: Uint8Array): boolean {
  return recovered(signature, (parts) => {
    const publicKey = recoverPublicKey(blake2b256(data), parts);
    return secp256k1Address(Uint8Array.of(4, ...publicKey)).equals(address);
  });
}

/** Whether the key behind the f410f address signed the Keccak-256 of the data. */
export function verifyDelegated(address: CoinAddress, data: Uint8Array, signature: Uint8Array): boolean {
  return recovered(signature, (parts) => recoverAddress(keccak256(data), parts) === ethAddressOf(address));
}

function recovered(signature: Uint8Array, matches: (parts: RecoverableSignature) => boolean): boolean {
  try {
    return matches(decodeSignature65(signature));
  } catch (error) {
    if (error instanceof InvalidSignatureError) return false;
    throw error;
  }
}
