import {
  InvalidSignatureError,
  SECP256K1_HALF_ORDER,
  SECP256K1_ORDER,
  recoverPublicKey,
  type RecoverableSignature,
} from '@tetrad/crypto';
import { scalarFromBytes } from '@tetrad/types';
import { RemoteKeyError } from './remote-key-error.js';
import { scalarBytes } from './scalar-bytes.js';

/**
 * Completes the signature of a service: s in the lower half of the group order (EIP-2), and the parity with which it
 * recovers to the public key.
 *
 * @param compact - r (32) ‖ s (32) as the service gave them
 * @param name - of the key, for the error
 * @throws RemoteKeyError WRONG_KEY when it is not a signature of the digest by that key
 */
export function completeSignature(
  compact: Uint8Array,
  { digest, publicKey, name }: Readonly<{ digest: Uint8Array; publicKey: Uint8Array; name: string }>,
): RecoverableSignature {
  if (compact.length !== 64) throw new RemoteKeyError('WRONG_KEY', `${name}: a signature has 64 bytes`);
  const r = compact.slice(0, 32);
  const s = lowHalf(compact.slice(32));
  for (const parity of [0, 1] as const) {
    if (s !== undefined && recoversTo({ r, s, parity }, digest, publicKey)) return { r, s, parity };
  }
  throw new RemoteKeyError('WRONG_KEY', `${name}: the signature is not one of this key`);
}

/**
 * −s mod n is as good a signature for the other parity.
 * @returns undefined when s is no scalar of the group
 */
function lowHalf(s: Uint8Array): Uint8Array | undefined {
  const value = scalarFromBytes(s);
  if (value === 0n || value >= SECP256K1_ORDER) return undefined;
  if (value <= SECP256K1_HALF_ORDER) return s;
  return scalarBytes(SECP256K1_ORDER - value);
}

function recoversTo(signature: RecoverableSignature, digest: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return Buffer.compare(recoverPublicKey(digest, signature), publicKey) === 0;
  } catch (error) {
    if (error instanceof InvalidSignatureError) return false;
    throw error;
  }
}
