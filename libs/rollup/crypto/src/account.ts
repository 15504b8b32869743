import type { Point } from './grumpkin.js';
import { jointKeyHash, type HashedJointKey, type JointKey } from './joint-key.js';
import { hashWords } from './poseidon2.js';

/** An account without its balances, of which the leaf holds the root. */
export interface AccountLeaf {
  readonly id: number;
  readonly publicKey: Point;
  readonly jointKey: JointKey | HashedJointKey;
  readonly balancesRoot: bigint;
  /** That of the latest operation; 0 before the first. */
  readonly nonce: number;
  /** Total index of the order that was redeemed last; 0 before the first. */
  readonly redemptionIndex: number;
  readonly blindingFactor: bigint;
  /** `consentHash`, `NO_CONSENT` for none; undefined where the contract has a layout before 3, whose leaves have eight words. */
  readonly consent?: bigint | undefined;
}

/**
 * What the account tree holds at the account's id:
 * `H(id, publicKey.x, publicKey.y, H(joint key words), balances root, nonce, redemptionIndex, blindingFactor, consent)`;
 * without the last word where the contract has none.
 */
export function accountLeafHash(account: AccountLeaf): bigint {
  return hashWords([
    BigInt(account.id),
    account.publicKey.x,
    account.publicKey.y,
    jointKeyHash(account.jointKey),
    account.balancesRoot,
    BigInt(account.nonce),
    BigInt(account.redemptionIndex),
    account.blindingFactor,
    ...(account.consent === undefined ? [] : [account.consent]),
  ]);
}
