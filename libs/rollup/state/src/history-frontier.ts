import { HISTORY_TREE_DEPTH, emptyRoot, hashPair } from './tree-shape.js';

/** The root of the history tree from its last path alone: roots of batches only ever come at the end. */
export class HistoryFrontier {
  /** For each level the node left of the one on the way up, where that is a right one. */
  private readonly left = Array.from({ length: HISTORY_TREE_DEPTH }, (_, level) => emptyRoot(level));
  private currentRoot = emptyRoot(HISTORY_TREE_DEPTH);
  private currentHeight = 0;

  get root(): bigint {
    return this.currentRoot;
  }

  /** Leaves so far; the first batch has height 1, and leaf 0 stays empty. */
  get height(): number {
    return this.currentHeight;
  }

  /** In: the order root of the next batch. Cost: 32 hashes */
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
