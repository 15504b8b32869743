import { keccak256 } from '@tetrad/crypto';
import { encodeRlp, readRlp, readRlpList, type RlpItem } from '@tetrad/rlp';

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

/** A parent's reference to a node: its hash, or the node itself when its encoding is shorter than a hash. */
export type NodeReference = Uint8Array | RawNode;
export type RawNode = (Uint8Array | RawNode)[];

/** Called for every changed node that is referenced by its hash. */
export type NodeSink = (hash: Uint8Array, encoded: Uint8Array) => void;

const EMPTY = new Uint8Array(0);
/** Sixteen children, and a value that no branch of ours has. */
const BRANCH_ITEMS = 17;

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
function fromItem(item: RlpItem): TrieNode {
  const items = readRlpList(item, BRANCH_ITEMS);
  if (items.length === BRANCH_ITEMS) {
    const children = items.slice(0, BRANCH_ITEMS - 1).map(fromReference);
    return { kind: 'branch', children };
  }
  const [path, rest] = items;
  if (path === undefined || rest === undefined || items.length !== 2)
    throw new Error(`a trie node has 2 or ${BRANCH_ITEMS} items, not ${items.length}`);
  const { nibbles, leaf } = decodePath(path.content);
  if (leaf) return { kind: 'leaf', path: nibbles, value: rest.content };
  const child = fromReference(rest);
  if (child === null) throw new Error('an extension leads nowhere');
  return { kind: 'extension', path: nibbles, child };
}

function fromReference(item: RlpItem): TrieNode | null {
  if (item.isList) return fromItem(item);
  return item.content.length === 0 ? null : { kind: 'unresolved', hash: item.content };
}

/** The reference of a node; encodes and hashes what changed below it, once. */
export function referenceOf(node: TrieNode, sink: NodeSink): NodeReference {
  if (node.kind === 'unresolved') return node.hash;
  if (node.reference !== undefined) return node.reference;
  const raw = toRaw(node, sink);
  const encoded = encodeRlp(raw);
  if (encoded.length < 32) return (node.reference = raw);
  const hash = keccak256(encoded);
  sink(hash, encoded);
  return (node.reference = hash);
}

/** The encoding of a node, also of one that is shorter than a hash. */
export function encodeNode(node: Exclude<TrieNode, Unresolved>, sink: NodeSink): Uint8Array {
  return encodeRlp(toRaw(node, sink));
}

function toRaw(node: Exclude<TrieNode, Unresolved>, sink: NodeSink): RawNode {
  switch (node.kind) {
    case 'leaf':
      return [encodePath(node.path, true), node.value];
    case 'extension':
      return [encodePath(node.path, false), referenceOf(node.child, sink)];
    case 'branch':
      return [...node.children.map((child) => (child === null ? EMPTY : referenceOf(child, sink))), EMPTY];
  }
}
