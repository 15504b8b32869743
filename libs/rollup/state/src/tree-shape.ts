import { hashWords } from '@tetrad/rollup-crypto';

/** Levels of the trees, as the circuit has them. A tree of depth d has 2^d leaves; an empty leaf is 0. */
export const ACCOUNT_TREE_DEPTH = 28;
export const BALANCE_TREE_DEPTH = 8;
export const ORDER_TREE_DEPTH = 12;
export const HISTORY_TREE_DEPTH = 32;

/** Accounts have the ids 1 to 2^28 − 1; 0 is the external account. */
export const MAX_ACCOUNTS = 2 ** ACCOUNT_TREE_DEPTH;
export const MAX_TOKENS = 2 ** BALANCE_TREE_DEPTH;

/** Node above two others. */
export function hashPair(left: bigint, right: bigint): bigint {
  return hashWords([left, right]);
}

const roots: bigint[] = [0n];

/** Root of a tree of that depth whose leaves are all empty. */
export function emptyRoot(depth: number): bigint {
  while (roots.length <= depth) {
    const below = roots[roots.length - 1] as bigint;
    roots.push(hashPair(below, below));
  }
  return roots[depth] as bigint;
}

/** State root before the first batch: nothing in either tree. */
export function emptyStateRoot(): bigint {
  return stateRoot(emptyRoot(ACCOUNT_TREE_DEPTH), emptyRoot(HISTORY_TREE_DEPTH));
}

/** `H(account root, history root)` */
export function stateRoot(accountRoot: bigint, historyRoot: bigint): bigint {
  return hashPair(accountRoot, historyRoot);
}
