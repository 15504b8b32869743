import { bytesToHex, keccak256, toRlp } from 'viem';
import type { PtmKey } from '../private/privacy.js';

/** The sender's key, and the recipients by key or as a group. */
export type RestrictedRecipients = {
  /** Key of the sender's transaction manager. */
  readonly privateFrom: PtmKey;
} & (
  | { readonly privateFor: readonly PtmKey[]; readonly privacyGroupId?: undefined }
  | { readonly privacyGroupId: PtmKey; readonly privateFor?: undefined }
);

/**
 * The id of the privacy group that a sender and recipients make up, as Besu and EthSigner compute it: the hash of the RLP of
 * their keys, ordered by Java's hash of their bytes.
 */
export function privacyGroupIdOf({
  privateFrom,
  privateFor,
}: {
  readonly privateFrom: PtmKey;
  readonly privateFor: readonly PtmKey[];
}): PtmKey {
  const keys = [...new Set([privateFrom, ...privateFor])].map(bytesOfKey);
  keys.sort((a, b) => javaHash(a) - javaHash(b));
  return btoa(String.fromCharCode(...keccak256(toRlp(keys.map((key) => bytesToHex(key))), 'bytes')));
}

/** `Arrays.hashCode(byte[])` of Java: 31 · hash + the signed byte, from 1, in 32 bits. */
function javaHash(bytes: Uint8Array): number {
  return new Int8Array(bytes).reduce((hash, byte) => (Math.imul(31, hash) + byte) | 0, 1);
}

/** The bytes of a key in base64. */
export function bytesOfKey(key: PtmKey): Uint8Array {
  return Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
}
