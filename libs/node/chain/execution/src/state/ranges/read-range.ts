import { keyOf } from '../state-keys.js';
import { Trie, type NodeReader, type TrieEntry } from '../trie.js';
import { nibblesOf, packNibbles, type TrieNode } from '../trie-node.js';
import type { RangeQuestion, TrieRange } from './trie-range.js';

/** What one answer may have and cost. Its proof comes on top: 130 nodes of 532 bytes at most. */
export interface RangeBounds {
  readonly entries: number;
  /** Bytes of keys and values. */
  readonly bytes: number;
  /** Nodes that are read. An answer has one entry at least, if there is one, whatever it cost. */
  readonly nodes: number;
  /** Awaited between pieces of the work. */
  readonly giveWay?: () => Promise<void> | undefined;
}

/** A node, and the nibbles that lead to it. */
interface Place {
  readonly path: Uint8Array;
  readonly node: TrieNode;
}

/** Nodes that are read at the same time, doubled with each read: some are behind the end of the range. */
const READ_AT_ONCE = { first: 32, maximum: 256 };

/**
 * Entries of a stored trie from the origin on, with a proof that none is left out (`verifyRange`).
 *
 * Cost: reads the nodes on the ways to the entries, and no more others on each level than are read at the same time
 *
 * @throws MissingTrieNodeError when the trie is not stored; as `giveWay`
 */
export async function readRange(
  question: RangeQuestion,
  read: NodeReader,
  bounds: RangeBounds,
): Promise<TrieRange> {
  const trie = new Trie(question.root, read);
  const reading = new RangeReading(trie, question, bounds);
  const entries = await reading.run();
  if (reading.isWhole) return { entries, proof: [] };
  const last = entries.at(-1)?.key;
  const ways = [await trie.prove(question.origin), last === undefined ? [] : await trie.prove(last)];
  const proof = new Map(ways.flat().map((node) => [keyOf(node), node]));
  return { entries, proof: [...proof.values()] };
}

/** One reading of a trie from the origin on, many nodes at a time. */
class RangeReading {
  private readonly entries: TrieEntry[] = [];
  private readonly from: Uint8Array;
  /** What was not taken yet, in the order of keys; the first one is at the end. */
  private readonly pending: Place[];
  private hasSkipped = false;
  private bytes = 0;
  private nodes = 0;

  constructor(
    private readonly trie: Trie,
    private readonly question: RangeQuestion,
    private readonly bounds: RangeBounds,
  ) {
    this.from = nibblesOf(question.origin);
    this.pending = trie.top === null ? [] : [{ path: new Uint8Array(0), node: trie.top }];
  }

  /** Whether the entries are all of the trie. */
  get isWhole(): boolean {
    return !this.hasSkipped && this.pending.length === 0;
  }

  async run(): Promise<TrieEntry[]> {
    for (
      let atOnce = READ_AT_ONCE.first;
      this.takeLeaves();
      atOnce = Math.min(2 * atOnce, READ_AT_ONCE.maximum)
    ) {
      const part = this.pending.splice(-Math.min(atOnce, this.left));
      const below = await Promise.all(part.map((place) => this.below(place)));
      // A part is in the order of the stack, the children of each node in the order of keys.
      for (const places of below) this.pending.push(...places.reverse());
      await this.bounds.giveWay?.();
    }
    return this.entries;
  }

  /** How many more nodes can be of use: each leads to an entry. */
  private get left(): number {
    const { entries, nodes } = this.bounds;
    return Math.max(1, Math.min(entries - this.entries.length, nodes - this.nodes));
  }

  /** Takes the leaves that come next; false at the end of the range. */
  private takeLeaves(): boolean {
    for (let next = this.pending.at(-1); next?.node.kind === 'leaf'; next = this.pending.at(-1)) {
      const entry = { key: packNibbles([...next.path, ...next.node.path]), value: next.node.value };
      if (!this.hasRoom(entry)) return false;
      this.pending.pop();
      this.entries.push(entry);
      this.bytes += sizeOf(entry);
      if (Buffer.compare(entry.key, this.question.limit) >= 0) return false;
    }
    return this.pending.length > 0 && (this.entries.length === 0 || this.nodes < this.bounds.nodes);
  }

  private hasRoom(entry: TrieEntry): boolean {
    if (this.entries.length === 0) return true;
    return this.entries.length < this.bounds.entries && this.bytes + sizeOf(entry) <= this.bounds.bytes;
  }

  /** The children of a node that can have entries of the range, and a leaf itself. */
  private async below({ path, node }: Place): Promise<Place[]> {
    if (node.kind === 'unresolved') this.nodes += 1;
    const resolved = await this.trie.resolve(node);
    if (resolved.kind === 'leaf') return this.notBefore([{ path, node: resolved }]);
    if (resolved.kind === 'extension')
      return this.notBefore([{ path: Buffer.concat([path, resolved.path]), node: resolved.child }]);
    return this.notBefore(
      [...resolved.children.entries()].flatMap(([nibble, child]) =>
        child === null ? [] : [{ path: Buffer.concat([path, Uint8Array.of(nibble)]), node: child }],
      ),
    );
  }

  private notBefore(places: readonly Place[]): Place[] {
    const kept = places.filter((place) => !liesBefore(knownPath(place), this.from));
    this.hasSkipped ||= kept.length < places.length;
    return kept;
  }
}

/** The path to a node, and that of its key where the node is a leaf, which can be within the node above it. */
function knownPath({ path, node }: Place): Uint8Array {
  return node.kind === 'leaf' ? Buffer.concat([path, node.path]) : path;
}

function sizeOf({ key, value }: TrieEntry): number {
  return key.length + value.length;
}

/** Whether everything under the path comes before the key. */
function liesBefore(path: Uint8Array, from: Uint8Array): boolean {
  const shared = Math.min(path.length, from.length);
  return Buffer.compare(path.subarray(0, shared), from.subarray(0, shared)) < 0;
}
