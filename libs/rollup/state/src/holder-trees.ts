import { MerkleTree } from './merkle-tree.js';
import { PackedNodes } from './packed-nodes.js';
import { PublicRoots } from './public-roots.js';
import type { PublicBatch } from './public-state.js';
import { HISTORY_TREE_DEPTH, emptyRoot } from './tree-shape.js';

/**
 * The trees with which an account holder proves a batch, rebuilt from what the contract published: 64 bytes for an account, 64
 * for a batch, and the orders of those batches alone that are kept.
 */
export class HolderTrees {
  private readonly roots = new PublicRoots();
  private readonly history = new PackedNodes();
  private readonly kept = new Map<number, readonly bigint[]>();
  private latestOrders: readonly bigint[] = [];

  constructor() {
    // The first batch has height 1.
    this.history.write([{ level: 0, index: 0, hash: 0n }]);
  }

  get height(): number {
    return this.roots.height;
  }

  /** @throws PublicStateError, as `PublicRoots.apply` */
  apply(batch: PublicBatch): void {
    this.roots.apply(batch);
    const tree = new MerkleTree(HISTORY_TREE_DEPTH, this.history.read);
    tree.update(batch.height, batch.ordersRoot);
    this.history.write(tree.writes());
    this.latestOrders = batch.orders;
  }

  /** Keeps the orders of the latest batch: one of them is for the holder, and its place in the batch is proved later. */
  keepOrders(): void {
    this.kept.set(this.height, this.latestOrders);
  }

  /** Order hashes of a batch, by index; none of a batch that was not kept. */
  orders(height: number): readonly bigint[] {
    return this.kept.get(height) ?? [];
  }

  accountNode = (level: number, index: number): bigint => this.roots.accountNode(level, index);

  historyNode = (level: number, index: number): bigint => this.history.read(level, index) ?? emptyRoot(level);
}
