import { parseOperationHeader } from '@tetrad/rollup-circuits';
import { TetradError } from '@tetrad/types';
import { MerkleTree, treeOfLeaves } from './merkle-tree.js';
import { ACCOUNT_TREE_DEPTH, HISTORY_TREE_DEPTH, ORDER_TREE_DEPTH, stateRoot } from './tree-shape.js';

/** What the contract publishes of a batch, as far as the trees follow from it. */
export interface PublicBatch {
  readonly height: number;
  readonly nextStateRoot: bigint;
  readonly ordersRoot: bigint;
  readonly headers: readonly bigint[];
  readonly leaves: readonly bigint[];
  readonly orders: readonly bigint[];
}

/** Account id and new leaf of each operation that touches an account, in order. */
export function leavesOf({
  headers,
  leaves,
}: Pick<PublicBatch, 'headers' | 'leaves'>): (readonly [number, bigint])[] {
  return headers
    .map((header, index) => [parseOperationHeader(header).accountId, leaves[index] ?? 0n] as const)
    .filter(([, leaf]) => leaf !== 0n);
}

/** The batches are not those of one rollup, or one is missing. */
export class PublicStateError extends TetradError {
  override readonly name = 'PublicStateError';
  override readonly code = 'INCOMPLETE_BATCHES';
}

/**
 * The public part of the state: leaves of accounts and hashes of orders, rebuilt from what the contract published. It is
 * enough for the proofs with which an account holder withdraws when the operator is gone.
 */
export class PublicState {
  readonly accountTree = new MerkleTree(ACCOUNT_TREE_DEPTH, () => undefined);
  readonly historyTree = new MerkleTree(HISTORY_TREE_DEPTH, () => undefined);
  private readonly ordersByHeight = new Map<number, readonly bigint[]>();
  private lastHeight = 0;

  get height(): number {
    return this.lastHeight;
  }

  get root(): bigint {
    return stateRoot(this.accountTree.root, this.historyTree.root);
  }

  /** Order hashes of a batch, by index. */
  orders(height: number): readonly bigint[] {
    return this.ordersByHeight.get(height) ?? [];
  }

  /** @throws PublicStateError when it is not the next batch, or does not lead to the root that it says */
  apply(batch: PublicBatch): void {
    const { height, orders, ordersRoot } = batch;
    if (height !== this.lastHeight + 1)
      throw new PublicStateError(`batch ${this.lastHeight + 1} is next, not ${height}`);
    if (treeOfLeaves(ORDER_TREE_DEPTH, orders.entries()).root !== ordersRoot) {
      throw new PublicStateError(`the orders of batch ${height} have another root`);
    }
    // Of several leaves of one account the last one counts.
    this.accountTree.updateAll(new Map(leavesOf(batch)));
    this.historyTree.update(height, ordersRoot);
    this.ordersByHeight.set(height, orders);
    this.lastHeight = height;
    if (this.root !== batch.nextStateRoot)
      throw new PublicStateError(`batch ${height} leads to another state root`);
  }
}
