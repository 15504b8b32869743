import { keccak256 } from '@tetrad/crypto';
import { emptyRlpList, encodeRlp, readRlp, readRlpItem, rlpList, type RlpItem, RlpError } from '@tetrad/rlp';

/**
 * Nodes of a Merkle Patricia trie (Yellow Paper, appendix D) as they are held while a block is applied.
 * Keys have one length in state tries and none is a prefix of another in ordered ones, so a branch never
 * carries a value of its own.
 */
export type TrieNode = Unresolved | Leaf | Extension | Branch;

/** A node that is known by its hash and was not needed yet. */
export interface Unresolved {
  readonly kind: 'unresolved';
  readonly hash: Uint8Array;
}

export interface Leaf {
  readonly kind: 'leaf';
  readonly path: Uint8Array;
  readonly value: Uint8Array;
  reference?: NodeReference;
}

export interface Extension {
  readonly kind: 'extension';
  readonly path: Uint8Array;
  child: TrieNode;
  reference?: NodeReference | undefined;
}

export interface Branch {
  readonly kind: 'branch';
  readonly children: (TrieNode | null)[];
  reference?: NodeReference | undefined;
}

/** A parent's reference to a node: its hash (32), or its encoding when that is shorter than a hash. */
export type NodeReference = Uint8Array;

/** Called for every changed node that is referenced by its hash. */
export type NodeSink = (hash: Uint8Array, encoded: Uint8Array) => void;

/** A branch has so many children, and a value, which is empty in all of ours. */
const CHILDREN = 16;
const EMPTY_STRING = 0x80;
const HASH_BYTES = 32;
/** Prefix of an RLP string of 32 bytes. */
const HASH_PREFIX = 0xa0;

/** A node that the bytes of its parent name: of the sixteen of a branch, most are never asked for. */
class NamedNode implements Unresolved {
  readonly kind = 'unresolved';

  constructor(
    private readonly parent: Uint8Array,
    private readonly at: number,
  ) {}

  get hash(): Uint8Array {
    return this.parent.subarray(this.at, this.at + HASH_BYTES);
  }

  copyHash(to: Uint8Array, offset: number): void {
    const { parent, at } = this;
    for (let index = 0; index < HASH_BYTES; index++) to[offset + index] = parent[at + index] as number;
  }
}

/** One nibble a byte, high one first. */
export function nibblesOf(key: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(key.length * 2);
  for (let index = 0; index < key.length; index++) {
    const byte = key[index] as number;
    nibbles[index * 2] = byte >> 4;
    nibbles[index * 2 + 1] = byte & 15;
  }
  return nibbles;
}

/** Two nibbles a byte: what `nibblesOf` took apart. */
export function packNibbles(nibbles: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(nibbles.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = ((nibbles[index * 2] as number) << 4) | (nibbles[index * 2 + 1] as number);
  }
  return bytes;
}

/** Hex-prefix encoding: flag nibble (2 for a leaf, 1 for odd length), then the nibbles, two a byte. */
function encodePath(nibbles: Uint8Array, leaf: boolean): Uint8Array {
  const odd = nibbles.length % 2;
  const bytes = new Uint8Array((nibbles.length >> 1) + 1);
  const flag = (leaf ? 2 : 0) + odd;
  bytes[0] = odd === 1 ? (flag << 4) | (nibbles[0] as number) : flag << 4;
  for (let from = odd, to = 1; from < nibbles.length; from += 2, to++) {
    bytes[to] = ((nibbles[from] as number) << 4) | (nibbles[from + 1] as number);
  }
  return bytes;
}

function decodePath(bytes: Uint8Array): { nibbles: Uint8Array; leaf: boolean } {
  const all = nibblesOf(bytes);
  const flag = all[0] as number;
  return { nibbles: all.subarray(flag % 2 === 1 ? 1 : 2), leaf: flag >= 2 };
}

/**
 * Reads a stored node; it keeps views of the bytes.
 * @throws Error when the bytes are not one
 */
export function decodeNode(encoded: Uint8Array): TrieNode {
  return fromItem(readRlp(encoded));
}

/** Embedded nodes are shorter than a hash, which bounds the depth of the recursion. */
function fromItem({ isList, content }: RlpItem): TrieNode {
  if (!isList) throw new RlpError('not a list');
  const path = readRlpItem(content, 0);
  const rest = readRlpItem(content, path.end);
  if (rest.end !== content.length) return { kind: 'branch', children: readChildren(content) };
  const { nibbles, leaf } = decodePath(path.content);
  if (leaf) return { kind: 'leaf', path: nibbles, value: rest.content };
  const child = fromReference(rest);
  if (child === null) throw new Error('an extension leads nowhere');
  return { kind: 'extension', path: nibbles, child };
}

/** @param content - of a list of the children and a value */
function readChildren(content: Uint8Array): (TrieNode | null)[] {
  const children: (TrieNode | null)[] = [];
  let at = 0;
  while (children.length < CHILDREN) {
    const prefix = content[at];
    if (prefix === HASH_PREFIX && at + HASH_BYTES < content.length) {
      children.push(new NamedNode(content, at + 1));
      at += 1 + HASH_BYTES;
    } else if (prefix === EMPTY_STRING) {
      children.push(null);
      at += 1;
    } else {
      const item = readRlpItem(content, at);
      children.push(fromReference(item));
      at = item.end;
    }
  }
  if (readRlpItem(content, at).end !== content.length)
    throw new Error(`a trie node has 2 or ${CHILDREN + 1} items`);
  return children;
}

function fromReference(item: RlpItem): TrieNode | null {
  if (item.isList) return fromItem(item);
  return item.content.length === 0 ? null : { kind: 'unresolved', hash: item.content };
}

/** The reference of a node; encodes and hashes what changed below it, once. */
export function referenceOf(node: TrieNode, sink: NodeSink): NodeReference {
  if (node.kind === 'unresolved') return node.hash;
  if (node.reference !== undefined) return node.reference;
  const encoded = encodeNode(node, sink);
  if (encoded.length < HASH_BYTES) return (node.reference = encoded);
  const hash = keccak256(encoded);
  sink(hash, encoded);
  return (node.reference = hash);
}

/** Whether the reference of a node is its hash. */
export function isHashed(reference: NodeReference): boolean {
  return reference.length === HASH_BYTES;
}

/** The hash of the top node of a trie, also when its encoding is shorter than a hash. */
export function rootHash(top: TrieNode, sink: NodeSink): Uint8Array {
  const reference = referenceOf(top, sink);
  if (isHashed(reference)) return reference;
  const hash = keccak256(reference);
  sink(hash, reference);
  return hash;
}

/** The encoding of a node, also of one that is shorter than a hash. */
export function encodeNode(node: Exclude<TrieNode, Unresolved>, sink: NodeSink): Uint8Array {
  switch (node.kind) {
    case 'leaf':
      return encodeRlp([encodePath(node.path, true), node.value]);
    case 'extension': {
      const child = referenceOf(node.child, sink);
      return rlpList([encodeRlp(encodePath(node.path, false)), isHashed(child) ? encodeRlp(child) : child]);
    }
    case 'branch':
      return encodeBranch(node, sink);
  }
}

/** Copies the hashes of children that were not asked for from the bytes that the branch was read from. */
function encodeBranch({ children }: Branch, sink: NodeSink): Uint8Array {
  let length = CHILDREN + 1;
  const references = children.map((child) => {
    if (child === null) return child;
    const reference = child instanceof NamedNode ? child : referenceOf(child, sink);
    length += reference instanceof NamedNode || isHashed(reference) ? HASH_BYTES : reference.length - 1;
    return reference;
  });
  const { bytes, start } = emptyRlpList(length);
  let at = start;
  for (const reference of references) at = writeReference(bytes, at, reference);
  bytes[at] = EMPTY_STRING;
  return bytes;
}

/** @returns the offset behind it */
function writeReference(bytes: Uint8Array, at: number, reference: NodeReference | NamedNode | null): number {
  if (reference === null) {
    bytes[at] = EMPTY_STRING;
    return at + 1;
  }
  if (reference instanceof Uint8Array && !isHashed(reference)) {
    bytes.set(reference, at);
    return at + reference.length;
  }
  bytes[at] = HASH_PREFIX;
  if (reference instanceof Uint8Array) bytes.set(reference, at + 1);
  else reference.copyHash(bytes, at + 1);
  return at + 1 + HASH_BYTES;
}
