import { createPrivateKey, createPublicKey, diffieHellman, randomBytes, type KeyObject } from 'node:crypto';
import { TetradError, parsePtmKey, type PtmKey } from '@tetrad/types';

/** Bytes of a Curve25519 key, public or private. */
export const KEY_BYTES = 32;

/** The prefixes of the 32 bytes in the DER encodings of RFC 8410. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');

/** A Curve25519 key pair (NaCl box), by which one party sends and receives payloads. */
export interface KeyPair {
  readonly publicKey: PtmKey;
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
}

/** A new key pair. */
export function generateKeyPair(): KeyPair {
  return keyPairFromPrivate(randomBytes(KEY_BYTES));
}

/**
 * The pair of a private key.
 * @throws TypeError when it is not 32 bytes
 */
export function keyPairFromPrivate(privateKey: Uint8Array): KeyPair {
  const der = createPublicKey(privateKeyObject(privateKey)).export({ format: 'der', type: 'spki' });
  return { publicKey: keyFromBytes(der.subarray(PUBLIC_PREFIX.length)), privateKey };
}

/**
 * X25519 of RFC 7748: 32 bytes.
 * @throws InvalidPublicKeyError for a point of low order, whose shared secret is public
 */
export function sharedSecret(privateKey: Uint8Array, publicKey: PtmKey): Uint8Array {
  const options = { privateKey: privateKeyObject(privateKey), publicKey: publicKeyObject(publicKey) };
  try {
    return diffieHellman(options);
  } catch {
    throw new InvalidPublicKeyError(`public key ${publicKey} is a point of low order`);
  }
}

/** A public key with which nothing can be encrypted. */
export class InvalidPublicKeyError extends TetradError {
  override readonly name = 'InvalidPublicKeyError';
  override readonly code = 'INVALID_PUBLIC_KEY';
}

/**
 * The text of a public key.
 * @throws TypeError when it is not 32 bytes
 */
export function keyFromBytes(bytes: Uint8Array): PtmKey {
  return parsePtmKey(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'));
}

/** The 32 bytes of a public key. */
export function keyToBytes(key: PtmKey): Uint8Array {
  return Buffer.from(key, 'base64');
}

function privateKeyObject(bytes: Uint8Array): KeyObject {
  if (bytes.length !== KEY_BYTES)
    throw new TypeError(`a private key has ${KEY_BYTES} bytes, not ${bytes.length}`);
  return createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, bytes]), format: 'der', type: 'pkcs8' });
}

function publicKeyObject(key: PtmKey): KeyObject {
  return createPublicKey({
    key: Buffer.concat([PUBLIC_PREFIX, keyToBytes(key)]),
    format: 'der',
    type: 'spki',
  });
}
