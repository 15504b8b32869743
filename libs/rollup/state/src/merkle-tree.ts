import { emptyRoot, hashPair } from './tree-shape.js';

/** A node of a tree: level 0 holds the leaves, and the root is the only node of the highest level. */
export interface NodePosition {
  readonly level: number;
  readonly index: number;
}

export interface NodeWrite extends NodePosition {
  readonly hash: bigint;
}

/** Reads a node; undefined where nothing was ever written below it. */
export type NodeReader = (level: number, index: number) => bigint | undefined;

/**
 * A tree of which only the nodes that differ from an empty tree are stored. Changes stay here until they are taken, so
 * that they can be stored in one transaction.
 */
export class MerkleTree {
  private readonly written = new Map<string, NodeWrite>();

  constructor(
    readonly depth: number,
    readonly read: NodeReader,
  ) {}

  node(level: number, index: number): bigint {
    return this.written.get(`${level}/${index}`)?.hash ?? this.read(level, index) ?? emptyRoot(level);
  }

  get root(): bigint {
    return this.node(this.depth, 0);
  }

  /** Siblings on the way from the leaf to the root, the leaf's own first. */
  path(index: number): bigint[] {
    return pathPositions(this.depth, index).map((sibling) => this.node(sibling.level, sibling.index));
  }

  /** Writes a leaf and the nodes above it; costs one hash a level. */
  update(index: number, leaf: bigint): void {
    this.updateAll([[index, leaf]]);
  }

  /** Writes leaves and the nodes above them, each of which costs one hash however many leaves it is above. */
  updateAll(leaves: Iterable<readonly [number, bigint]>): void {
    let changed = new Set<number>();
    for (const [index, leaf] of leaves) {
      this.write(0, index, leaf);
      changed.add(index);
    }
    for (let level = 0; level < this.depth; level += 1) {
      const parents = new Set<number>();
      for (const index of changed) parents.add(Math.floor(index / 2));
      for (const index of parents) {
        this.write(level + 1, index, hashPair(this.node(level, 2 * index), this.node(level, 2 * index + 1)));
      }
      changed = parents;
    }
  }

  /** The nodes written since the tree was created, each once. */
  writes(): NodeWrite[] {
    return [...this.written.values()];
  }

  private write(level: number, index: number, hash: bigint): void {
    this.written.set(`${level}/${index}`, { level, index, hash });
  }
}

/** Where the siblings of a leaf and of the nodes above it are: what must be at hand to prove or change it. */
export function pathPositions(depth: number, index: number): NodePosition[] {
  return Array.from({ length: depth }, (_, level) => {
    const place = Math.floor(index / 2 ** level);
    return { level, index: place % 2 === 1 ? place - 1 : place + 1 };
  });
}

/** The root that a leaf, its index and its siblings give. */
export function rootOfPath(leaf: bigint, index: number, siblings: readonly bigint[]): bigint {
  return siblings.reduce((node, sibling, level) => {
    const isRight = Math.floor(index / 2 ** level) % 2 === 1;
    return isRight ? hashPair(sibling, node) : hashPair(node, sibling);
  }, leaf);
}

/** A tree that holds these leaves and no others. */
export function treeOfLeaves(depth: number, leaves: Iterable<readonly [number, bigint]>): MerkleTree {
  const tree = new MerkleTree(depth, () => undefined);
  tree.updateAll([...leaves].filter(([, leaf]) => leaf !== 0n));
  return tree;
}
