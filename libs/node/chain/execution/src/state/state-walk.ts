import { hashToBytes, type Hash } from '@tetrad/types';
import { EMPTY_STORAGE_ROOT, decodeAccount } from './stored-account.js';
import { decodeNode, type TrieNode } from './trie-node.js';

/** A node that is known by its hash, and the nibbles that lead to it: those of the account come first. */
interface Place {
  readonly path: Uint8Array;
  readonly hash: Uint8Array;
  readonly isStorage: boolean;
}

/**
 * Visits every trie node of a state, storage included, in the order of the paths; many at a time, and from any place on.
 *
 * `next` names the nodes, `take` gets their content. What lies before `cursor` was visited; a walk from there visits the
 * nodes above it once more.
 * Cost: memory for the children of the nodes that were taken together, on each level
 */
export class StateWalk {
  /** The first one is at the end. */
  private readonly pending: Place[];

  /** @param from - a cursor of an earlier walk over the same state, or nothing */
  constructor(
    root: Hash,
    private readonly from: Uint8Array = new Uint8Array(0),
  ) {
    const path = new Uint8Array(0);
    this.pending = root === EMPTY_STORAGE_ROOT ? [] : [{ path, hash: hashToBytes(root), isStorage: false }];
  }

  /** The hashes of the next nodes; none at the end. */
  next(most: number): Uint8Array[] {
    return this.pending
      .slice(-most)
      .reverse()
      .map(({ hash }) => hash);
  }

  /**
   * @param nodes - all that `next` named last, in its order
   * @throws Error when one is not a trie node
   */
  take(nodes: readonly Uint8Array[]): void {
    const places = this.pending.splice(this.pending.length - nodes.length).reverse();
    const below = places.flatMap((place, at) => placesBelow(decodeNode(nodes[at] as Uint8Array), place));
    this.pending.push(...below.filter(({ path }) => !liesBefore(path, this.from)).reverse());
  }

  /** One nibble a byte; undefined at the end. On the way back to where the walk began it is that place, and never less. */
  get cursor(): Uint8Array | undefined {
    const path = this.pending.at(-1)?.path;
    return path !== undefined && liesAbove(path, this.from) ? this.from : path;
  }
}

/** The nodes that this one refers to by hash, in the order of their paths. */
function placesBelow(node: TrieNode, { path, isStorage }: Omit<Place, 'hash'>): Place[] {
  switch (node.kind) {
    case 'unresolved':
      return [{ path, hash: node.hash, isStorage }];
    case 'extension':
      return placesBelow(node.child, { path: concat(path, node.path), isStorage });
    case 'branch':
      return node.children.flatMap((child, nibble) =>
        child === null ? [] : placesBelow(child, { path: concat(path, Uint8Array.of(nibble)), isStorage }),
      );
    case 'leaf': {
      if (isStorage) return [];
      const { hasStorage, storageRoot } = decodeAccount(node.value);
      if (!hasStorage) return [];
      return [{ path: concat(path, node.path), hash: hashToBytes(storageRoot), isStorage: true }];
    }
  }
}

/** Whether everything below the path comes before the place. */
function liesBefore(path: Uint8Array, place: Uint8Array): boolean {
  const shared = Math.min(path.length, place.length);
  return Buffer.compare(path.subarray(0, shared), place.subarray(0, shared)) < 0;
}

/** Whether the path leads to the place. */
function liesAbove(path: Uint8Array, place: Uint8Array): boolean {
  return path.length < place.length && Buffer.compare(path, place.subarray(0, path.length)) === 0;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  return Uint8Array.from([...a, ...b]);
}
