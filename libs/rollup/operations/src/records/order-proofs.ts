import { splitTotalIndex } from '@tetrad/rollup-crypto';
import { ORDER_TREE_DEPTH, treeOfLeaves, type MerkleTree } from '@tetrad/rollup-state';
import type { RollupStore } from '@tetrad/rollup-store';
import { LRUCache } from 'lru-cache';

/** Trees of batches; one of the smallest size takes some kB. */
const MAX_TREES = 256;

/** Paths from money orders to the roots of their batches, which stay once the batch is final. */
export class OrderProofs {
  private readonly trees = new LRUCache<number, MerkleTree>({ max: MAX_TREES });

  constructor(private readonly store: Pick<RollupStore, 'batchOrders' | 'finalHeight'>) {}

  /**
   * @param totalIndex - the total index of an order in a final batch
   * @returns siblings, leaf level first
   */
  async pathOf(totalIndex: number): Promise<bigint[]> {
    const { batchHeight, index } = splitTotalIndex(totalIndex);
    let tree = this.trees.get(batchHeight);
    if (tree === undefined) {
      tree = treeOfLeaves(ORDER_TREE_DEPTH, (await this.store.batchOrders(batchHeight)).entries());
      this.trees.set(batchHeight, tree);
    }
    return tree.path(index);
  }

  /**
   * The path of an order that was accepted for redemption. It was final then, unless the chain took its batch back since.
   * @returns undefined when the order is of no final batch
   */
  async findPath(totalIndex: number | undefined): Promise<bigint[] | undefined> {
    if (totalIndex === undefined) return undefined;
    const { batchHeight } = splitTotalIndex(totalIndex);
    return batchHeight > (await this.store.finalHeight()) ? undefined : this.pathOf(totalIndex);
  }
}
