import { blake2b160 } from '@tetrad/crypto';
import { PROTOCOL, coinAddressOf, type CoinAddress } from './coin-address.js';

/** The address of a secp256k1 key. In: the uncompressed public key, 0x04 (1) ‖ x (32) ‖ y (32). */
export function secp256k1Address(publicKey65: Uint8Array): CoinAddress {
  if (publicKey65.length !== 65 || publicKey65[0] !== 4) {
    throw new TypeError('an uncompressed public key has 65 bytes, the first of them 4');
  }
  return coinAddressOf(PROTOCOL.secp256k1, blake2b160(publicKey65));
}

/** The address of a BLS key. In: the compressed public key, 48 bytes of G1. */
export function blsAddress(publicKey48: Uint8Array): CoinAddress {
  if (publicKey48.length !== 48) throw new TypeError('a compressed public key has 48 bytes');
  return coinAddressOf(PROTOCOL.bls, publicKey48);
}
