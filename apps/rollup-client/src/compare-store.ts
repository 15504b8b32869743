import { connectDatabase } from '@tetrad/db';
import type { MinedBatch } from '@tetrad/rollup-client';
import type { PublicRoots } from '@tetrad/rollup-state';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import { OperatorError } from '@tetrad/types';

/** Maximum number of differences that are listed; a longer list would not help to find the problem. */
const MAX_LISTED = 20;
/** Leaves that are read at a time. */
const LEAVES = 1_000;
const POOL_SIZE = 2;

/**
 * Opens the operator's rows for reading.
 * @throws OperatorError when they are of another rollup
 */
export async function withStore<Result>(
  url: string,
  contract: string,
  work: (store: RollupStore) => Promise<Result>,
): Promise<Result> {
  const database = await connectDatabase({ url, poolSize: POOL_SIZE });
  const store = openRollupStore(database);
  try {
    const identity = await store.findIdentity();
    if (identity === undefined || identity.contract !== contract)
      throw new OperatorError(
        `the database is of ${identity === undefined ? 'no rollup' : `the rollup at ${identity.contract}`}`,
      );
    return await work(store);
  } finally {
    await store.close();
    await database.close();
  }
}

/** Compares what an operator has stored with what the chain says, batch by batch. */
export class StoreComparison {
  private readonly listed: string[] = [];
  private found = 0;

  constructor(private readonly store: RollupStore) {}

  get isSame(): boolean {
    return this.found === 0;
  }

  /** Descriptions of the differences, at most the first few. */
  get differences(): readonly string[] {
    const left = this.found - this.listed.length;
    return left === 0 ? this.listed : [...this.listed, `and ${left} more`];
  }

  /**
   * @param batch - of the contract
   * @param roots - rebuilt with the batch
   */
  async batch({ height, nextStateRoot, ordersRoot }: MinedBatch, roots: PublicRoots): Promise<void> {
    const stored = (await this.store.findBatch(height))?.roots;
    if (stored === undefined) return this.differ(`batch ${height} is not in the store`);
    if (stored.orders !== ordersRoot) this.differ(`batch ${height} has other orders in the store`);
    if (stored.account !== roots.accountRoot) this.differ(`batch ${height} has other accounts in the store`);
    if (stored.state !== nextStateRoot) this.differ(`batch ${height} has another state root in the store`);
  }

  /** Compares the leaf of every account after the last batch. */
  async leaves(roots: PublicRoots): Promise<void> {
    const finalHeight = await this.store.finalHeight();
    if (finalHeight > roots.height)
      this.differ(`batch ${finalHeight} is final in the store, and the contract is at ${roots.height}`);
    for (let first = 1; first <= roots.accountCount; first += LEAVES) {
      const count = Math.min(LEAVES, roots.accountCount - first + 1);
      const positions = Array.from({ length: count }, (_, index) => ({ level: 0, index: first + index }));
      const nodes = await this.store.treeNodes('account', positions, roots.height);
      for (const { index } of positions)
        if ((nodes.get(`0/${index}`) ?? 0n) !== roots.leaf(index))
          this.differ(`account ${index} has another leaf in the store`);
    }
  }

  private differ(text: string): void {
    this.found += 1;
    if (this.listed.length < MAX_LISTED) this.listed.push(text);
  }
}
