import { HistoryFrontier } from './history-frontier.js';
import { MerkleTree, treeOfLeaves } from './merkle-tree.js';
import { PackedNodes } from './packed-nodes.js';
import { PublicStateError, leavesOf, type PublicBatch } from './public-state.js';
import { ACCOUNT_TREE_DEPTH, ORDER_TREE_DEPTH, emptyRoot, stateRoot } from './tree-shape.js';

/** The tree of the order roots of batches: what its root follows from, or all of it. */
export interface BatchHistory {
  /** Leaves so far; the first batch has height 1. */
  readonly height: number;
  readonly root: bigint;
  /** @param ordersRoot - the order root of the next batch */
  append(ordersRoot: bigint): void;
}

/**
 * The roots of the public state and the leaves of accounts, rebuilt from what the contract published: what `PublicState` is
 * without the paths to orders. It grows by 64 bytes for an account and by nothing for a batch.
 */
export class PublicRoots {
  private readonly accounts = new PackedNodes();
  private currentCount = 0;
  private currentRoot = emptyRoot(ACCOUNT_TREE_DEPTH);

  /** @param history - before the first batch; by default it is kept only as far as its root follows from it */
  constructor(private readonly history: BatchHistory = new HistoryFrontier()) {
    // Account 0 is the external one and has no leaf.
    this.accounts.write([{ level: 0, index: 0, hash: 0n }]);
  }

  get height(): number {
    return this.history.height;
  }

  /** Accounts that were created; their ids are 1 to this. */
  get accountCount(): number {
    return this.currentCount;
  }

  get accountRoot(): bigint {
    return this.currentRoot;
  }

  get historyRoot(): bigint {
    return this.history.root;
  }

  get root(): bigint {
    return stateRoot(this.accountRoot, this.historyRoot);
  }

  /** Leaf of an account after the last batch; 0 when the account does not exist. */
  leaf(accountId: number): bigint {
    return this.accounts.read(0, accountId) ?? 0n;
  }

  /** A node of the account tree. */
  accountNode(level: number, index: number): bigint {
    return this.accounts.read(level, index) ?? emptyRoot(level);
  }

  /**
   * @throws PublicStateError when it is not the next batch, touches an account that is not there yet and not the next
   *   one, or does not lead to the root that it says
   */
  apply(batch: PublicBatch): void {
    const { height, orders, ordersRoot } = batch;
    if (height !== this.height + 1)
      throw new PublicStateError(`batch ${this.height + 1} is next, not ${height}`);
    if (treeOfLeaves(ORDER_TREE_DEPTH, orders.entries()).root !== ordersRoot)
      throw new PublicStateError(`the orders of batch ${height} have another root`);
    const leaves = leavesOf(batch);
    let count = this.currentCount;
    for (const [id] of leaves) {
      if (id < 1 || id > count + 1)
        throw new PublicStateError(`batch ${height} touches account ${id}, and ${count + 1} is next`);
      count = Math.max(count, id);
    }
    const tree = new MerkleTree(ACCOUNT_TREE_DEPTH, this.accounts.read);
    tree.updateAll(new Map(leaves));
    this.accounts.write(tree.writes());
    this.currentCount = count;
    this.currentRoot = tree.root;
    this.history.append(ordersRoot);
    if (this.root !== batch.nextStateRoot)
      throw new PublicStateError(`batch ${height} leads to another state root`);
  }
}
