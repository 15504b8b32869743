import { keccak256 } from '@tetrad/crypto';
import { TetradError } from '@tetrad/types';
import { commonLength, extension, insert, leaf } from './insert.js';
import {
  decodeNode,
  encodeNode,
  isHashed,
  nibblesOf,
  packNibbles,
  referenceOf,
  rootHash,
  type Branch,
  type Extension,
  type NodeSink,
  type TrieNode,
  type Unresolved,
} from './trie-node.js';

/** Reads an encoded node by its hash, at once where it is in memory; undefined when there is none. */
export type NodeReader = (hash: Uint8Array) => Promise<Uint8Array | undefined> | Uint8Array | undefined;

/** The trie needs a node that is not stored: the root is unknown or the database is damaged. */
export class MissingTrieNodeError extends TetradError {
  override readonly name = 'MissingTrieNodeError';
  override readonly code = 'MISSING_TRIE_NODE';
}

/** Root of a trie without entries: the hash of the RLP of empty bytes. */
export const EMPTY_TRIE_ROOT = keccak256(Uint8Array.of(0x80));

export interface TrieEntry {
  /** Nibbles packed to bytes. */
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A node, and the nibbles that lead to it. */
interface Place {
  readonly prefix: readonly number[];
  readonly node: TrieNode;
}

/** Nodes that `readAll` reads at the same time. */
const READ_AT_ONCE = 1_024;

export type Resolved = Exclude<TrieNode, Unresolved>;

/**
 * A Merkle Patricia trie that takes many changes and hashes once.
 *
 * Changed nodes stay in memory until `commit`; unchanged ones are read by hash when a path needs them.
 * Cost: a change reads the nodes of its path; `commit` hashes each changed node once.
 */
export class Trie {
  private root: TrieNode | null;

  constructor(
    root: Uint8Array,
    private readonly read: NodeReader,
  ) {
    this.root = Buffer.compare(root, EMPTY_TRIE_ROOT) === 0 ? null : { kind: 'unresolved', hash: root };
  }

  /** The node that all others are below; null without entries. */
  get top(): TrieNode | null {
    return this.root;
  }

  /** The value under the key, or undefined. */
  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    let rest = nibblesOf(key);
    let node = this.root;
    while (node !== null) {
      const resolved: Resolved = await this.resolve(node);
      if (resolved.kind === 'branch') {
        node = resolved.children[rest[0] as number] ?? null;
        rest = rest.subarray(1);
        continue;
      }
      const shared = commonLength(resolved.path, rest);
      if (shared < resolved.path.length) return undefined;
      if (resolved.kind === 'leaf') return resolved.path.length === rest.length ? resolved.value : undefined;
      node = resolved.child;
      rest = rest.subarray(shared);
    }
    return undefined;
  }

  /** Puts the value under the key, in place of an earlier one. */
  async put(key: Uint8Array, value: Uint8Array): Promise<void> {
    const path = nibblesOf(key);
    await this.openPath(path);
    this.root = insert(this.root, path, value);
  }

  /** Takes the key out; nothing happens when it is not there. */
  async delete(key: Uint8Array): Promise<void> {
    this.root = await this.remove(this.root, nibblesOf(key));
  }

  /** The root hash of all changes so far; `sink` gets every node that is new. */
  commit(sink: NodeSink): Uint8Array {
    return this.root === null ? EMPTY_TRIE_ROOT : rootHash(this.root, sink);
  }

  /** The encoded nodes on the way to the key, root first: proves its value, or that it is absent (EIP-1186). */
  async prove(key: Uint8Array): Promise<Uint8Array[]> {
    const proof: Uint8Array[] = [];
    const ignore = () => undefined;
    let rest = nibblesOf(key);
    let node = this.root;
    let embedded = false;
    while (node !== null) {
      const resolved: Resolved = await this.resolve(node);
      if (!embedded) proof.push(encodeNode(resolved, ignore));
      if (resolved.kind === 'leaf') break;
      if (resolved.kind === 'branch') {
        node = resolved.children[rest[0] as number] ?? null;
        rest = rest.subarray(1);
      } else {
        if (commonLength(resolved.path, rest) < resolved.path.length) break;
        rest = rest.subarray(resolved.path.length);
        node = resolved.child;
      }
      embedded = node !== null && !isHashed(referenceOf(node, ignore));
    }
    return proof;
  }

  /**
   * Every key (as nibbles packed to bytes) and value, in key order.
   * @param from - the first key wanted, or where it would be; what lies before it is not read
   */
  async *entries(
    from: Uint8Array = new Uint8Array(0),
  ): AsyncGenerator<{ key: Uint8Array; value: Uint8Array }> {
    if (this.root !== null) yield* this.walk(this.root, [], nibblesOf(from));
  }

  /**
   * All keys and values, as `entries` gives them; `undefined` when there are more than so many.
   *
   * Cost: reads nodes of a level many at a time, where `entries` reads one after the other
   */
  async readAll(most: number): Promise<TrieEntry[] | undefined> {
    let places: readonly Place[] = this.root === null ? [] : [{ prefix: [], node: this.root }];
    while (places.some(({ node }) => node.kind !== 'leaf')) {
      const next: Place[] = [];
      for (let from = 0; from < places.length; from += READ_AT_ONCE) {
        const part = places.slice(from, from + READ_AT_ONCE);
        const below = await Promise.all(part.map((place) => this.below(place)));
        next.push(...below.flat());
        // There is a value at least below each place.
        if (next.length > most) return undefined;
      }
      places = next;
    }
    if (places.length > most) return undefined;
    return places.map(({ prefix, node }) => {
      const { path, value } = node as Extract<TrieNode, { kind: 'leaf' }>;
      return { key: packNibbles([...prefix, ...path]), value };
    });
  }

  /** The children of a place in key order, and a leaf itself. */
  private async below({ prefix, node }: Place): Promise<Place[]> {
    const resolved = await this.resolve(node);
    if (resolved.kind === 'leaf') return [{ prefix, node: resolved }];
    if (resolved.kind === 'extension')
      return [{ prefix: [...prefix, ...resolved.path], node: resolved.child }];
    return [...resolved.children.entries()].flatMap(([nibble, child]) =>
      child === null ? [] : [{ prefix: [...prefix, nibble], node: child }],
    );
  }

  private async *walk(
    node: TrieNode,
    prefix: readonly number[],
    from: Uint8Array,
  ): AsyncGenerator<{ key: Uint8Array; value: Uint8Array }> {
    if (liesBefore(prefix, from)) return;
    const resolved = await this.resolve(node);
    if (resolved.kind === 'leaf') {
      const path = [...prefix, ...resolved.path];
      if (!liesBefore(path, from)) yield { key: packNibbles(path), value: resolved.value };
    } else if (resolved.kind === 'extension') {
      yield* this.walk(resolved.child, [...prefix, ...resolved.path], from);
    } else {
      for (const [nibble, child] of resolved.children.entries()) {
        if (child !== null) yield* this.walk(child, [...prefix, nibble], from);
      }
    }
  }

  /**
   * The node itself, at once where it is in memory.
   * @throws MissingTrieNodeError when it is not stored
   */
  resolve(node: TrieNode): Promise<Resolved> | Resolved {
    if (node.kind !== 'unresolved') return node;
    const { hash } = node;
    const encoded = this.read(hash);
    return encoded instanceof Promise ? encoded.then((read) => toNode(hash, read)) : toNode(hash, encoded);
  }

  /** Reads the nodes on the way to the key, so that a change is made in them without waiting. */
  private async openPath(path: Uint8Array): Promise<void> {
    if (this.root === null) return;
    const top = this.resolve(this.root);
    let node = (this.root = top instanceof Promise ? await top : top);
    for (let rest = path; node.kind !== 'leaf';) {
      const parent: Branch | Extension = node;
      const isBranch = parent.kind === 'branch';
      const length = isBranch ? 1 : commonLength(parent.path, rest);
      if (!isBranch && length < parent.path.length) return;
      const child = isBranch ? parent.children[rest[0] as number] : parent.child;
      if (child === undefined || child === null) return;
      const below = this.resolve(child);
      node = below instanceof Promise ? await below : below;
      if (isBranch) parent.children[rest[0] as number] = node;
      else parent.child = node;
      rest = rest.subarray(length);
    }
  }

  private async remove(node: TrieNode | null, path: Uint8Array): Promise<TrieNode | null> {
    if (node === null) return null;
    const resolved = await this.resolve(node);
    if (resolved.kind === 'leaf') {
      return commonLength(resolved.path, path) === path.length ? null : resolved;
    }
    if (resolved.kind === 'extension') {
      if (commonLength(resolved.path, path) < resolved.path.length) return resolved;
      const child = await this.remove(resolved.child, path.subarray(resolved.path.length));
      return child === resolved.child ? touch(resolved) : this.join(resolved.path, child);
    }
    const nibble = path[0] as number;
    const child = resolved.children[nibble] ?? null;
    const next = await this.remove(child, path.subarray(1));
    if (child === null && next === null) return resolved;
    resolved.children[nibble] = next;
    resolved.reference = undefined;
    return this.collapse(resolved);
  }

  /** A branch with one child left is that child with a longer path. */
  private async collapse(branch: Branch): Promise<TrieNode> {
    const left = branch.children.flatMap((child, nibble) => (child === null ? [] : [nibble]));
    if (left.length !== 1) return branch;
    const nibble = left[0] as number;
    return (await this.join(Uint8Array.of(nibble), branch.children[nibble] ?? null)) as TrieNode;
  }

  /** Puts a path in front of a node, merging it into leaves and extensions. */
  private async join(path: Uint8Array, node: TrieNode | null): Promise<TrieNode | null> {
    if (node === null) return null;
    const resolved = await this.resolve(node);
    if (resolved.kind === 'leaf') return leaf(concat(path, resolved.path), resolved.value);
    if (resolved.kind === 'extension') return extension(concat(path, resolved.path), resolved.child);
    return extension(path, resolved);
  }
}

function toNode(hash: Uint8Array, encoded: Uint8Array | undefined): Resolved {
  if (encoded === undefined)
    throw new MissingTrieNodeError(`no trie node ${Buffer.from(hash).toString('hex')}`);
  const resolved = decodeNode(encoded) as Resolved;
  resolved.reference = hash;
  return resolved;
}

function touch(node: Extension): Extension {
  node.reference = undefined;
  return node;
}

/** Whether everything under the prefix comes before the key. */
function liesBefore(prefix: readonly number[], from: Uint8Array): boolean {
  const end = Math.min(prefix.length, from.length);
  for (let at = 0; at < end; at++) {
    const [here, there] = [prefix[at] as number, from[at] as number];
    if (here !== there) return here < there;
  }
  return false;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
