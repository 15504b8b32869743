import { keccakHash, keccakInto } from '@tetrad/crypto';
import { rlpPrefixLength, rlpScalar, writeRlpBytes, writeRlpListPrefix } from '@tetrad/rlp';
import type { Hash } from '@tetrad/types';

const NIBBLES = 16;
/** A key is an index of up to four bytes behind their number. */
const MAX_PATH = 10;
/** Space for the prefix of a list, which is known once its content is written. */
const MAX_PREFIX = 5;
const HASH_BYTES = 32;
/** A hash behind its prefix: the longest reference to a node. */
const MAX_REFERENCE = 1 + HASH_BYTES;
const HASH_PREFIX = 0xa0;
const EMPTY_STRING = 0x80;
/** A path in a node: flag and nibbles, two a byte, behind a prefix. */
const MAX_PATH_ITEM = 2 + MAX_PATH / 2;
/** More than a branch takes, with the reference that is written in front of it. */
const BRANCH_ROOM = 1_024;
const FIRST_BYTES = 64 * 1024;
/** Indexes below this have one byte as RLP, which for 0 is the greatest of them: 0x80. */
const ONE_BYTE = 0x80;
/** Flags of the hex-prefix encoding. Source: Yellow Paper, appendix C */
const [LEAF, ODD] = [2, 1];

/** Where something is written, and how many nibbles of the keys lie above it. */
interface Position {
  readonly depth: number;
  readonly at: number;
}

interface PathPart {
  /** Nibbles. */
  readonly count: number;
  readonly flag: number;
}

/**
 * The trie RLP(index) → item, of which only the root is wanted: its nodes are written into one memory, each behind the place of the
 * reference to it, and are overwritten once they are hashed.
 */
export class OrderedTrie {
  private memory = new Uint8Array(FIRST_BYTES);
  private items: readonly Uint8Array[] = [];
  /** The indexes in the order of their keys, and for each its nibbles and their number. */
  private order: readonly number[] = [];
  private paths = new Uint8Array(0);
  private lengths = new Uint8Array(0);
  /** Where the node that was written last begins. */
  private begin = 0;

  /** Of the memory that the tries so far have needed. */
  get bytes(): number {
    return this.memory.length + this.paths.length;
  }

  /** @param items - at least one, and each of at least one byte */
  root(items: readonly Uint8Array[]): Hash {
    this.items = items;
    if (items.length !== this.order.length) this.placeKeys(items.length);
    const end = this.writeNode(0, items.length, { depth: 0, at: 0 });
    this.items = [];
    return keccakHash(this.memory.subarray(this.begin, end));
  }

  private placeKeys(count: number): void {
    const indexes = Array.from({ length: count }, (_, index) => index);
    this.order = [...indexes.slice(1, ONE_BYTE), 0, ...indexes.slice(ONE_BYTE)];
    this.paths = new Uint8Array(count * MAX_PATH);
    this.lengths = new Uint8Array(count);
    for (const [place, index] of this.order.entries()) {
      let at = place * MAX_PATH;
      for (const byte of rlpScalar(index)) {
        this.paths[at++] = byte >> 4;
        this.paths[at++] = byte & 15;
      }
      this.lengths[place] = at - place * MAX_PATH;
    }
  }

  /**
   * Writes the node of the entries from one place to another, which share their first nibbles, somewhere behind `at`.
   * @returns the offset behind it; it begins at `begin`
   */
  private writeNode(from: number, to: number, { depth, at }: Position): number {
    const start = at + MAX_PREFIX;
    const end = this.writeContent(from, to, { depth, at: start });
    this.begin = start - rlpPrefixLength(end - start);
    writeRlpListPrefix(end - start, this.memory, this.begin);
    return end;
  }

  private writeContent(from: number, to: number, { depth, at }: Position): number {
    if (to - from === 1) return this.writeLeaf(from, depth, at);
    this.reserve(at + BRANCH_ROOM);
    const shared = this.sharedLength(from, to - 1, depth);
    if (shared === 0) return this.writeBranch(from, to, { depth, at });
    const path = this.writePath(from, { depth, count: shared, flag: 0, at });
    return this.writeReference(from, to, { depth: depth + shared, at: path });
  }

  private writeLeaf(place: number, depth: number, at: number): number {
    const value = this.items[this.order[place] as number] as Uint8Array;
    this.reserve(at + MAX_PATH_ITEM + MAX_PREFIX + value.length);
    const count = (this.lengths[place] as number) - depth;
    return writeRlpBytes(value, this.memory, this.writePath(place, { depth, count, flag: LEAF, at }));
  }

  private writeBranch(from: number, to: number, { depth, at }: Position): number {
    let [begin, offset] = [from, at];
    for (let nibble = 0; nibble < NIBBLES; nibble++) {
      let end = begin;
      while (end < to && this.paths[end * MAX_PATH + depth] === nibble) end += 1;
      if (begin === end) this.memory[offset++] = EMPTY_STRING;
      else offset = this.writeReference(begin, end, { depth: depth + 1, at: offset });
      begin = end;
    }
    this.memory[offset] = EMPTY_STRING;
    return offset + 1;
  }

  /** A node that is shorter than a hash is its own reference. */
  private writeReference(from: number, to: number, { depth, at }: Position): number {
    const end = this.writeNode(from, to, { depth, at: at + MAX_REFERENCE });
    const { begin, memory } = this;
    if (end - begin < HASH_BYTES) {
      memory.copyWithin(at, begin, end);
      return at + end - begin;
    }
    memory[at] = HASH_PREFIX;
    keccakInto(memory.subarray(begin, end), memory, at + 1);
    return at + MAX_REFERENCE;
  }

  /** Nibbles of a key, hex-prefix encoded. */
  private writePath(place: number, { depth, count, flag, at }: Position & PathPart): number {
    const { memory, paths } = this;
    const first = place * MAX_PATH + depth;
    const odd = count % 2;
    const size = 1 + (count >> 1);
    // One byte of a flag is its own encoding.
    let offset = size === 1 ? at : at + 1;
    if (size > 1) memory[at] = EMPTY_STRING + size;
    const head = (flag + odd * ODD) << 4;
    memory[offset++] = odd === 1 ? head | (paths[first] as number) : head;
    for (let from = first + odd; from < first + count; from += 2)
      memory[offset++] = ((paths[from] as number) << 4) | (paths[from + 1] as number);
    return offset;
  }

  /** How many nibbles from the depth on the keys at both places have in common. */
  private sharedLength(place: number, other: number, depth: number): number {
    const [a, b] = [place * MAX_PATH, other * MAX_PATH];
    let at = depth;
    while (this.paths[a + at] === this.paths[b + at]) at += 1;
    return at - depth;
  }

  private reserve(bytes: number): void {
    if (bytes <= this.memory.length) return;
    const larger = new Uint8Array(2 * bytes);
    larger.set(this.memory);
    this.memory = larger;
  }
}
