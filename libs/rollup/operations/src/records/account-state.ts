import {
  ACCOUNT_TREE_DEPTH,
  HISTORY_TREE_DEPTH,
  accountHash,
  emptyRoot,
  pathPositions,
} from '@tetrad/rollup-state';
import type { StoredAccount, RollupStore } from '@tetrad/rollup-store';

/** An account as the chain has it, with what proves it. */
export interface ProvenAccount {
  readonly account: StoredAccount;
  /** Leaf of the account tree. */
  readonly leaf: bigint;
  /** Siblings from the leaf to the state root, leaf level first: those of the account tree, then the history root. */
  readonly path: readonly bigint[];
}

/** As the latest final batch leaves it; undefined when it is in none. */
export async function findProvenAccount(
  store: Pick<RollupStore, 'findAccount' | 'finalHeight' | 'treeNodes'>,
  id: number,
): Promise<ProvenAccount | undefined> {
  const height = await store.finalHeight();
  const account = await store.findAccount(id, height);
  if (account === undefined) return undefined;
  const positions = pathPositions(ACCOUNT_TREE_DEPTH, id);
  const historyTop = { level: HISTORY_TREE_DEPTH, index: 0 };
  const [nodes, history] = await Promise.all([
    store.treeNodes('account', positions, height),
    store.treeNodes('history', [historyTop], height),
  ]);
  const siblings = positions.map(({ level, index }) => nodes.get(`${level}/${index}`) ?? emptyRoot(level));
  const historyRoot = history.get(`${HISTORY_TREE_DEPTH}/0`) ?? emptyRoot(HISTORY_TREE_DEPTH);
  return { account, leaf: accountHash(account), path: [...siblings, historyRoot] };
}
