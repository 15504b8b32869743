import { PublicKey, SecretKey, Signature, scratchKey } from './bls-library.js';
import { SigningError } from './recoverable.js';

/*
 * BLS12-381 of the coin network: keys in G1 (48 bytes), signatures in G2 (96 bytes), both compressed; the basic
 * scheme of draft-irtf-cfrg-bls-signature with its domain tag, which is not Ethereum's.
 *
 * Data goes into the hash to the curve as it is. Private keys are scalars in 32 bytes LITTLE-endian.
 */

/**
 * Longest data of one signature. The library hands data over on WebAssembly's stack of 1 MiB, of which it needs some
 * itself.
 */
export const MAX_BLS_DATA_BYTES = 768 * 1024;

const KEY_BYTES = 32;
const PUBLIC_KEY_BYTES = 48;
const SIGNATURE_BYTES = 96;

const ZEROS = new Uint8Array(16 * 1024);

/** Overwrites what a call left of a key on WebAssembly's stack. */
const wipeStack = () => scratchKey.setLittleEndian(ZEROS);

/** Runs `work` with the key in the library's form, and wipes that afterwards. */
function withSecretKey<Result>(privateKey: Uint8Array, work: (key: SecretKey) => Result): Result {
  const bigEndian = Uint8Array.from(privateKey).reverse();
  let key: SecretKey | undefined;
  try {
    key = SecretKey.fromBytes(bigEndian);
  } catch {
    throw new SigningError('INVALID_KEY', 'bls signature invalid private key');
  } finally {
    bigEndian.fill(0);
    if (key === undefined) wipeStack();
  }
  try {
    return work(key);
  } finally {
    key.value.clear();
    wipeStack();
  }
}

/** Whether the 32 bytes are a scalar of the group other than zero. */
export function isBlsPrivateKey(privateKey: Uint8Array): boolean {
  if (privateKey.length !== KEY_BYTES) return false;
  try {
    return withSecretKey(privateKey, () => true);
  } catch {
    return false;
  }
}

/**
 * 96 bytes.
 * @throws SigningError (INVALID_KEY, DATA_TOO_LONG)
 */
export function signBls(privateKey: Uint8Array, data: Uint8Array): Uint8Array {
  if (data.length > MAX_BLS_DATA_BYTES) {
    throw new SigningError(
      'DATA_TOO_LONG',
      `data: must have at most ${MAX_BLS_DATA_BYTES} bytes for a bls key`,
    );
  }
  return withSecretKey(privateKey, (key) => key.sign(data).toBytes());
}

/**
 * 48 bytes.
 * @throws SigningError (INVALID_KEY)
 */
export function blsPublicKey(privateKey: Uint8Array): Uint8Array {
  return withSecretKey(privateKey, (key) => key.toPublicKey().toBytes());
}

/** A private key made by the library's key generator of 32 random bytes, so that it is below the group order. */
export function blsPrivateKeyOf(entropy: Uint8Array): Uint8Array {
  const key = SecretKey.fromKeygen(entropy);
  try {
    return key.toBytes().reverse();
  } finally {
    key.value.clear();
    wipeStack();
  }
}

/** False for whatever is not a signature of the data by the key, infinite points and foreign subgroups included. */
export function verifyBls(publicKey: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  if (data.length > MAX_BLS_DATA_BYTES) return false;
  try {
    const key = PublicKey.fromBytes(publicKey);
    const point = Signature.fromBytes(signature);
    if (!key.value.isValidOrder() || point.value.isZero()) return false;
    return point.verify(key, data);
  } catch {
    return false;
  }
}
