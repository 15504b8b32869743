import { accountLeafHash, type JointKey, type Point } from '@tetrad/rollup-crypto';
import { treeOfLeaves, type MerkleTree } from './merkle-tree.js';
import { BALANCE_TREE_DEPTH } from './tree-shape.js';

/** All there is to know of an account. */
export interface Account {
  readonly id: number;
  readonly publicKey: Point;
  readonly jointKey: JointKey;
  readonly blindingFactor: bigint;
  /** Of the latest operation; 0 before the first. */
  readonly nonce: number;
  /** Total index of the money order that was redeemed last; 0 before the first. */
  readonly redemptionIndex: number;
  /** Token id → base units, below 2^64; absent tokens have balance 0. */
  readonly balances: ReadonlyMap<number, bigint>;
}

export function balanceOf(account: Account, tokenId: number): bigint {
  return account.balances.get(tokenId) ?? 0n;
}

/** The balances after an amount came (or, negative, went); a balance of zero is left out. */
export function changedBalances(
  account: Account,
  tokenId: number,
  change: bigint,
): ReadonlyMap<number, bigint> {
  const balances = new Map(account.balances);
  const balance = balanceOf(account, tokenId) + change;
  if (balance === 0n) balances.delete(tokenId);
  else balances.set(tokenId, balance);
  return balances;
}

/** Trees of balances that were looked at lately: one account is needed before an operation and after it. */
const trees = new WeakMap<ReadonlyMap<number, bigint>, MerkleTree>();

/** The tree is for reading only. */
export function balanceTree({ balances }: Pick<Account, 'balances'>): MerkleTree {
  let tree = trees.get(balances);
  if (tree === undefined) {
    tree = treeOfLeaves(BALANCE_TREE_DEPTH, balances);
    trees.set(balances, tree);
  }
  return tree;
}

/** The leaf of the account tree. */
export function accountHash(account: Account): bigint {
  return accountLeafHash({ ...account, balancesRoot: balanceTree(account).root });
}
