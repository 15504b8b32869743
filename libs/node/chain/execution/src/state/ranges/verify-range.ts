import { placeEntries, slicesByNibble, subtrie, type Slice } from '../subtrie.js';
import { EMPTY_TRIE_ROOT, type Resolved, type TrieEntry } from '../trie.js';
import {
  nibblesOf,
  referenceOf,
  rootHash,
  type NodeReference,
  type NodeSink,
  type TrieNode,
} from '../trie-node.js';
import { ProofNodes, type HashedNode } from './proof-nodes.js';
import { RANGE_KEY_BYTES, RangeProofError, type RangeQuestion, type TrieRange } from './trie-range.js';

/** An account has 110 bytes at most, a slot 33. */
const MAX_VALUE_BYTES = 128;

/** What a range shows about the trie with the root of its question. */
export interface VerifiedRange {
  /** Whether the trie has entries behind the last one of the range. */
  readonly hasMore: boolean;
  /** Nodes whose subtries are in the range: all that is below them is among them too. */
  readonly inside: readonly HashedNode[];
  /** Nodes on the ways to the origin and to the last entry; other ranges have what else is below them. */
  readonly boundary: readonly HashedNode[];
}

/** What lies below one node, and which ends of the range can lie below it too. */
interface Place {
  readonly node: TrieNode;
  readonly depth: number;
  /** The entries of the range that begin with the path to the node. */
  readonly slice: Slice;
  /** Whether the path to the node is the beginning of the origin. */
  readonly isAtOrigin: boolean;
  /** Whether the path to the node is the beginning of the last key. */
  readonly isAtLast: boolean;
}

/**
 * Verifies an answer of another node: that these are all entries of the trie from the origin to the last of them.
 *
 * The proof is walked from the root on, so each of its nodes is one of the trie. Next to the two ways, every subtrie inside
 * the range must have the hash of what the entries make; on the ways nothing is taken from the entries.
 *
 * Cost: linear in the entries, each inner node is hashed once; recursion as deep as a key has nibbles
 *
 * @param most - entries; an answer with more is refused before anything is hashed
 * @throws RangeProofError when something is left out, added, changed, out of order, or not shown
 */
export function verifyRange(
  question: RangeQuestion,
  { entries, proof }: TrieRange,
  most: number,
): VerifiedRange {
  if (entries.length > most) throw new RangeProofError(`a range has ${most} entries at most`);
  assertInRange(question, entries);
  const walk = new RangeWalk(question.origin, entries, new ProofNodes(proof));
  if (proof.length === 0) walk.compareAll(question.root);
  else walk.visitTop(question.root);
  return walk.result();
}

/** @throws RangeProofError when entries are out of order, outside, or not like those of a state */
function assertInRange({ origin, limit }: RangeQuestion, entries: readonly TrieEntry[]): void {
  for (const [at, { key, value }] of entries.entries()) {
    if (key.length !== RANGE_KEY_BYTES) throw new RangeProofError(`a key has ${RANGE_KEY_BYTES} bytes`);
    if (value.length === 0 || value.length > MAX_VALUE_BYTES)
      throw new RangeProofError(`a value has 1 to ${MAX_VALUE_BYTES} bytes`);
    const before = entries[at - 1]?.key;
    if (before === undefined ? isBefore(key, origin) : !isBefore(before, key))
      throw new RangeProofError('keys are not in order, or before the origin');
    if (before !== undefined && !isBefore(before, limit))
      throw new RangeProofError('keys go on behind the limit');
  }
}

function isBefore(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) < 0;
}

/** One walk along both ends of a range. */
class RangeWalk {
  private readonly origin: Uint8Array;
  private readonly last: Uint8Array | undefined;
  private readonly all: Slice;
  private readonly inside: HashedNode[] = [];
  private hasMore = false;
  private readonly keep: NodeSink = (hash, encoded) => this.inside.push({ hash, encoded });

  constructor(
    origin: Uint8Array,
    entries: readonly TrieEntry[],
    private readonly proof: ProofNodes,
  ) {
    this.origin = nibblesOf(origin);
    this.all = placeEntries(entries);
    this.last = this.all.entries.at(-1)?.path;
  }

  /** @throws RangeProofError when the proof has nodes that were not needed */
  result(): VerifiedRange {
    return { hasMore: this.hasMore, inside: this.inside, boundary: this.proof.used() };
  }

  /** The entries are the whole trie. */
  compareAll(root: Uint8Array): void {
    if (!isSameReference(this.rootOf(this.all), root))
      throw new RangeProofError('the entries have another root');
  }

  visitTop(root: Uint8Array): void {
    const node: TrieNode = { kind: 'unresolved', hash: root };
    this.visit({ node, depth: 0, slice: this.all, isAtOrigin: true, isAtLast: this.last !== undefined });
  }

  private rootOf(slice: Slice): Uint8Array {
    const top = subtrie(slice, 0);
    return top === null ? EMPTY_TRIE_ROOT : rootHash(top, this.keep);
  }

  /** A node on a way to an end of the range. */
  private visit(place: Place): void {
    const node = this.proof.open(place.node);
    if (node.kind === 'branch') this.visitBranch(place, node.children);
    else this.visitPath(place, node);
  }

  private visitBranch(
    { depth, slice, isAtOrigin, isAtLast }: Place,
    children: readonly (TrieNode | null)[],
  ): void {
    if (depth >= this.origin.length) throw new RangeProofError('a way is longer than a key');
    const first = isAtOrigin ? (this.origin[depth] as number) : -1;
    const last = isAtLast ? (this.last?.[depth] as number) : Infinity;
    for (const [nibble, part] of slicesByNibble(slice, depth).entries()) {
      const child = children[nibble] ?? null;
      if (nibble < first) continue;
      if (nibble > last) this.hasMore ||= child !== null;
      else if (child !== null && (nibble === first || nibble === last))
        this.visit({
          node: child,
          depth: depth + 1,
          slice: part,
          isAtOrigin: nibble === first,
          isAtLast: nibble === last,
        });
      else this.compare(child, part, depth + 1);
    }
  }

  /** An extension or a leaf: its path stays on a way, or leaves it. */
  private visitPath(place: Place, node: Exclude<Resolved, { kind: 'branch' }>): void {
    const { depth, slice } = place;
    const end = depth + node.path.length;
    if (node.kind === 'leaf' ? end !== this.origin.length : end >= this.origin.length)
      throw new RangeProofError('a way has not the length of a key');
    const toOrigin = place.isAtOrigin ? Buffer.compare(node.path, this.origin.subarray(depth, end)) : 1;
    const toLast = place.isAtLast
      ? Buffer.compare(node.path, (this.last as Uint8Array).subarray(depth, end))
      : -1;
    if (toOrigin < 0 || toLast > 0) {
      this.compare(null, slice, depth);
    } else if (node.kind === 'extension' && (toOrigin === 0 || toLast === 0)) {
      assertBelow(slice, node.path, depth);
      this.visit({ node: node.child, depth: end, slice, isAtOrigin: toOrigin === 0, isAtLast: toLast === 0 });
    } else this.compare(node, slice, depth);
  }

  /** All below the node is in the range: it must be what the entries make. */
  private compare(node: TrieNode | null, slice: Slice, depth: number): void {
    const made = subtrie(slice, depth);
    if (node === null || made === null) {
      if (node !== made)
        throw new RangeProofError(made === null ? 'entries are left out' : 'entries are added');
    } else if (
      !isSameReference(
        referenceOf(made, this.keep),
        referenceOf(node, () => undefined),
      )
    )
      throw new RangeProofError('entries are not those of the trie');
  }
}

/** @throws RangeProofError when entries do not go on with the path */
function assertBelow({ entries, from, to }: Slice, path: Uint8Array, depth: number): void {
  for (const at of [from, to - 1]) {
    const entry = at < to ? entries[at]?.path.subarray(depth, depth + path.length) : undefined;
    if (entry !== undefined && Buffer.compare(entry, path) !== 0)
      throw new RangeProofError('entries are added');
  }
}

function isSameReference(one: NodeReference, other: NodeReference): boolean {
  return Buffer.compare(one, other) === 0;
}
