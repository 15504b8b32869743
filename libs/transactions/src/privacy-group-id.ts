import { keccak256 } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import { parsePtmKey, type PtmKey } from '@tetrad/types';

/**
 * Id of the group that is made of the sender and the recipients of a private transaction.
 *
 * Layout: base64 of keccak-256 of rlp[key (32), …], each key once, in ascending order of `javaHash`
 * Source: docs/spec/signing-proxy.md#restricted-transactions (Besu, PrivacyGroupUtil)
 */
export function privacyGroupId(privateFrom: PtmKey, privateFor: readonly PtmKey[]): PtmKey {
  const members = [...new Set([privateFrom, ...privateFor])].map((key) => Buffer.from(key, 'base64'));
  members.sort((a, b) => javaHash(a) - javaHash(b));
  return parsePtmKey(Buffer.from(keccak256(encodeRlp(members))).toString('base64'));
}

/** `Arrays.hashCode(byte[])` of Java: h = 31 · h + the byte with its sign, from 1, in 32 bits with sign. */
function javaHash(bytes: Uint8Array): number {
  return new Int8Array(bytes).reduce((hash, byte) => (Math.imul(31, hash) + byte) | 0, 1);
}
