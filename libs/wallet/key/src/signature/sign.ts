import { PROTOCOL, type CoinAddress } from '../address/coin-address.js';
import { signBls, verifyBls } from './bls.js';
import {
  SIGNATURE_TYPE,
  protocolOfSignatureType,
  type CoinSignature,
  signatureTypeOf,
  type KeyKind,
} from './coin-signature.js';
import { signRecoverable, verifyDelegated, verifySecp256k1 } from './recoverable.js';

/**
 * Signs data, which is not yet hashed, with the scheme of the key.
 * @param privateKey - 32 bytes, big-endian for secp256k1 and delegated, little-endian for bls
 * @throws SigningError (INVALID_KEY, DATA_TOO_LONG)
 */
export function signData(kind: KeyKind, privateKey: Uint8Array, data: Uint8Array): CoinSignature {
  const made = kind === 'bls' ? signBls(privateKey, data) : signRecoverable(kind, privateKey, data);
  return { type: signatureTypeOf(kind), data: made };
}

/**
 * Whether the signature of the data is by the key behind the address.
 * @returns false for everything else: types that do not exist or do not suit the address, addresses without a key
 *   (protocols 0 and 2), signatures of a wrong length
 */
export function verifySignature(address: CoinAddress, data: Uint8Array, signature: CoinSignature): boolean {
  if (protocolOfSignatureType(signature.type) !== address.protocol) return false;
  switch (address.protocol) {
    case PROTOCOL.secp256k1:
      return verifySecp256k1(address, data, signature.data);
    case PROTOCOL.bls:
      return verifyBls(address.payload(), data, signature.data);
    case PROTOCOL.delegated:
      return verifyDelegated(address, data, signature.data);
    default:
      return false;
  }
}

/** Whether verifying the signature is work for another thread. */
export function isCostly({ type }: CoinSignature): boolean {
  return type === SIGNATURE_TYPE.bls;
}
