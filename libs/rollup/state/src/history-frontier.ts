import type { NodeReader } from './merkle-tree.js';
import { HISTORY_TREE_DEPTH, emptyRoot, hashPair } from './tree-shape.js';

/** The root of the history tree from its last path alone: roots of batches only ever come at the end. */
export class HistoryFrontier {
  /** For each level the node left of the one on the way up, where that is a right one. */
  private left = Array.from({ length: HISTORY_TREE_DEPTH }, (_, level) => emptyRoot(level));
  private currentRoot = emptyRoot(HISTORY_TREE_DEPTH);
  private currentHeight = 0;

  /**
   * The history up to a batch, so that it goes on from there.
   *
   * @param height - of the batch; 0 before the first
   * @param nodes - what `frontierNodes` gives of the tree
   * @returns the history; its root says whether the nodes are those of the tree
   */
  static of(height: number, nodes: readonly bigint[]): HistoryFrontier {
    const frontier = new HistoryFrontier();
    if (height === 0) return frontier;
    frontier.left = frontier.left.map((empty, level) => nodes[level] ?? empty);
    frontier.currentHeight = height;
    // The lowest node that the next batch does not change.
    let [level, index] = [0, height];
    for (; index % 2 === 1; level += 1) index = Math.floor(index / 2);
    let node = frontier.left[level] as bigint;
    for (; level < HISTORY_TREE_DEPTH; level += 1) {
      const isRight = index % 2 === 1;
      node = isRight ? hashPair(frontier.left[level] as bigint, node) : hashPair(node, emptyRoot(level));
      index = Math.floor(index / 2);
    }
    frontier.currentRoot = node;
    return frontier;
  }

  get root(): bigint {
    return this.currentRoot;
  }

  /** Leaves so far; the first batch has height 1, and leaf 0 stays empty. */
  get height(): number {
    return this.currentHeight;
  }

  /**
   * Cost: 32 hashes
   *
   * @param ordersRoot - the order root of the next batch
   */
  append(ordersRoot: bigint): void {
    this.currentHeight += 1;
    let [node, index] = [ordersRoot, this.currentHeight];
    for (let level = 0; level < HISTORY_TREE_DEPTH; level += 1) {
      if (index % 2 === 1) {
        node = hashPair(this.left[level] as bigint, node);
      } else {
        this.left[level] = node;
        node = hashPair(node, emptyRoot(level));
      }
      index = Math.floor(index / 2);
    }
    this.currentRoot = node;
  }
}

/**
 * What of the history tree the roots of later batches follow from.
 *
 * @param height - of the last batch in the tree
 * @param read - a node of the tree
 * @returns a node for each level, the leaves first
 */
export function frontierNodes(height: number, read: NodeReader): bigint[] {
  return Array.from({ length: HISTORY_TREE_DEPTH }, (_, level) => {
    const index = Math.floor(height / 2 ** level);
    return read(level, index - (index % 2)) ?? emptyRoot(level);
  });
}
