import { MerkleTree } from './merkle-tree.js';
import { PackedNodes } from './packed-nodes.js';
import { PublicRoots, type BatchHistory } from './public-roots.js';
import type { PublicBatch } from './public-state.js';
import { HISTORY_TREE_DEPTH, emptyRoot } from './tree-shape.js';

/** The tree of the order roots of batches with all its nodes. */
class StoredHistory implements BatchHistory {
  private readonly nodes = new PackedNodes();
  private currentHeight = 0;
  private currentRoot = emptyRoot(HISTORY_TREE_DEPTH);

  constructor() {
    // The first batch has height 1.
    this.nodes.write([{ level: 0, index: 0, hash: 0n }]);
  }

  get height(): number {
    return this.currentHeight;
  }

  get root(): bigint {
    return this.currentRoot;
  }

  append(ordersRoot: bigint): void {
    this.currentHeight += 1;
    const tree = new MerkleTree(HISTORY_TREE_DEPTH, this.nodes.read);
    tree.update(this.currentHeight, ordersRoot);
    this.nodes.write(tree.writes());
    this.currentRoot = tree.root;
  }

  read = (level: number, index: number): bigint | undefined => this.nodes.read(level, index);
}

/**
 * The trees with which an account holder proves a batch, rebuilt from what the contract published: 64 bytes for an account, 64
 * for a batch, and the orders of those batches alone that are kept.
 */
export class HolderTrees {
  private readonly history = new StoredHistory();
  private readonly roots = new PublicRoots(this.history);
  private readonly kept = new Map<number, readonly bigint[]>();
  private latestOrders: readonly bigint[] = [];

  get height(): number {
    return this.roots.height;
  }

  /** @throws PublicStateError, as `PublicRoots.apply` */
  apply(batch: PublicBatch): void {
    this.roots.apply(batch);
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
