import {
  accountLeafHash,
  type ConsentTerms,
  type HashedJointKey,
  type JointKey,
  type Point,
} from '@tetrad/rollup-crypto';
import { MerkleTree, pathPositions, treeOfLeaves } from './merkle-tree.js';
import { BALANCE_TREE_DEPTH } from './tree-shape.js';

/** All there is to know of an account. */
export interface Account {
  readonly id: number;
  readonly publicKey: Point;
  readonly jointKey: JointKey;
  readonly blindingFactor: bigint;
  /** Nonce of the latest operation; 0 before the first. */
  readonly nonce: number;
  /** Total index of the money order that was redeemed last; 0 before the first. */
  readonly redemptionIndex: number;
  /** Token id → base units, below 2^64; absent tokens have balance 0. */
  readonly balances: ReadonlyMap<number, bigint>;
  /** As the leaf has it (`consentHash`), `NO_CONSENT` for none; undefined in a rollup without consents, whose leaves have eight words. */
  readonly consent?: bigint | undefined;
  /** What opens the consent; undefined for none, and for one that is not known or cannot be read. */
  readonly consentTerms?: ConsentTerms | undefined;
}

/** An account that its operator cannot read, as far as its holder has proved it to the contract: the key by its hash, and one balance. */
export interface ProvedAccount extends Omit<Account, 'jointKey' | 'consentTerms'> {
  readonly jointKey: HashedJointKey;
  readonly proved: {
    /** Whose balance `balances` has. Other balances are what they are, and not known. */
    readonly tokenId: number;
    /** From it to the root of the account's balances. */
    readonly siblings: readonly bigint[];
  };
}

/** What an operation can be executed on. */
export type KnownAccount = Account | ProvedAccount;

export function isReadable(account: KnownAccount): account is Account {
  return !('proved' in account);
}

export function balanceOf(account: Pick<Account, 'balances'>, tokenId: number): bigint {
  return account.balances.get(tokenId) ?? 0n;
}

/** The balances after an amount came (or, negative, went); a balance of zero is left out. */
export function changedBalances(
  account: Pick<Account, 'balances'>,
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
export function balanceTree(account: KnownAccount | Pick<Account, 'balances'>): MerkleTree {
  if ('proved' in account) return provedTree(account);
  const { balances } = account;
  let tree = trees.get(balances);
  if (tree === undefined) {
    tree = treeOfLeaves(BALANCE_TREE_DEPTH, balances);
    trees.set(balances, tree);
  }
  return tree;
}

/** Of one balance and what is beside the way from it to the root. */
function provedTree({ balances, proved: { tokenId, siblings } }: ProvedAccount): MerkleTree {
  const nodes = new Map(
    pathPositions(BALANCE_TREE_DEPTH, tokenId).map(({ level, index }, place) => [
      `${level}/${index}`,
      siblings[place] as bigint,
    ]),
  );
  const tree = new MerkleTree(BALANCE_TREE_DEPTH, (level, index) => nodes.get(`${level}/${index}`));
  tree.update(tokenId, balances.get(tokenId) ?? 0n);
  return tree;
}

/** The leaf of the account tree. */
export function accountHash(account: KnownAccount): bigint {
  return accountLeafHash({ ...account, balancesRoot: balanceTree(account).root });
}
