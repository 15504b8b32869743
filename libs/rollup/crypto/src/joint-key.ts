import { POINT_BYTES, decodePoint, encodePoint, type Point } from './grumpkin.js';
import { hashWords } from './poseidon2.js';

/** Two encryption keys: what is encrypted to them, the user can read and the operator too. */
export interface JointKey {
  readonly user: Point;
  readonly operator: Point;
}

/** A joint key of which only the hash is known. */
export interface HashedJointKey {
  readonly hash: bigint;
}

/** user.x(32) ‖ user.y(32) ‖ operator.x(32) ‖ operator.y(32), big-endian. */
const JOINT_KEY_BYTES = 2 * POINT_BYTES;

export function encodeJointKey({ user, operator }: JointKey): Uint8Array {
  const bytes = new Uint8Array(JOINT_KEY_BYTES);
  bytes.set(encodePoint(user));
  bytes.set(encodePoint(operator), POINT_BYTES);
  return bytes;
}

/** @returns undefined when either half is not a point of the curve */
export function decodeJointKey(bytes: Uint8Array): JointKey | undefined {
  if (bytes.length !== JOINT_KEY_BYTES) return undefined;
  const user = decodePoint(bytes);
  const operator = decodePoint(bytes, POINT_BYTES);
  return user === undefined || operator === undefined ? undefined : { user, operator };
}

export function jointKeyWords({ user, operator }: JointKey): [bigint, bigint, bigint, bigint] {
  return [user.x, user.y, operator.x, operator.y];
}

/** A key stays with its account, whose leaf is hashed with every operation. */
const hashes = new WeakMap<JointKey, bigint>();

/** What the account leaf holds of the key. */
export function jointKeyHash(key: JointKey | HashedJointKey): bigint {
  if ('hash' in key) return key.hash;
  let hash = hashes.get(key);
  if (hash === undefined) {
    hash = hashWords(jointKeyWords(key));
    hashes.set(key, hash);
  }
  return hash;
}
