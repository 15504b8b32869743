import { keccak256 } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import type { PtmKey } from '@tetrad/types';
import { keyToBytes } from '../keys/key-pair.js';

/** Replaces the seed where groups are looked up by their members; a constant of existing managers. */
const LOOKUP_SEED = Buffer.from('5375ba871e5c3d0f1d055b5da0ac02ea035bed38', 'hex');

/**
 * The id of a group, by which every manager of its members names it:
 *
 *   keccak256(RLP [member 32, …, seed]), members once each and sorted by `hashCode`
 *
 * @param seed - absent for a legacy group, which then is a list of members alone
 * @returns 32 bytes
 */
export function groupId(members: readonly PtmKey[], seed?: Uint8Array): Uint8Array {
  const keys = [...new Set(members)].map(keyToBytes).map((key) => ({ key, hash: hashCode(key) }));
  keys.sort((left, right) => left.hash - right.hash || Buffer.compare(left.key, right.key));
  return keccak256(encodeRlp([...keys.map(({ key }) => key), ...(seed === undefined ? [] : [seed])]));
}

/**
 * What groups of the same members have in common.
 * @returns 32 bytes
 */
export function groupLookup(members: readonly PtmKey[]): Uint8Array {
  return groupId(members, LOOKUP_SEED);
}

/** Of an array of bytes in Java: by this the members of a group are sorted. */
function hashCode(bytes: Uint8Array): number {
  return new Int8Array(bytes).reduce((hash, byte) => (Math.imul(hash, 31) + byte) | 0, 1);
}
