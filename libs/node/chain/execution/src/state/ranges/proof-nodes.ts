import { keccak256 } from '@tetrad/crypto';
import { copyOf } from '@tetrad/rlp';
import { keyOf } from '../state-keys.js';
import type { Resolved } from '../trie.js';
import { decodeNode, encodeNode, type TrieNode } from '../trie-node.js';
import { RANGE_KEY_BYTES, RangeProofError } from './trie-range.js';

/** Nodes on two ways from the root to a leaf: each takes one nibble at least, but the leaf. */
const MAX_PROOF_NODES = 2 * (2 * RANGE_KEY_BYTES + 1);
/** A branch of sixteen hashes has 532 bytes. It bounds the depth of nodes in nodes as well. */
const MAX_NODE_BYTES = 600;
const HASH_BYTES = 32;

/** A node of a trie as it is stored. */
export interface HashedNode {
  readonly hash: Uint8Array;
  readonly encoded: Uint8Array;
}

/**
 * The nodes of a proof by their hash. A node is decoded when a node above it, or the root, names its hash: bytes that are
 * in no trie with this root are never decoded.
 */
export class ProofNodes {
  private readonly nodes = new Map<string, HashedNode>();
  /** Equal subtries are the same nodes, so both ways can come to one. */
  private readonly opened = new Set<HashedNode>();

  /** @throws RangeProofError when there are too many or too large ones, or one twice */
  constructor(proof: readonly Uint8Array[]) {
    if (proof.length > MAX_PROOF_NODES)
      throw new RangeProofError(`a proof has ${MAX_PROOF_NODES} nodes at most`);
    for (const bytes of proof) {
      if (bytes.length > MAX_NODE_BYTES)
        throw new RangeProofError(`a node has more than ${MAX_NODE_BYTES} bytes`);
      const encoded = copyOf(bytes);
      const hash = keccak256(encoded);
      this.nodes.set(keyOf(hash), { hash, encoded });
    }
    if (this.nodes.size !== proof.length) throw new RangeProofError('a node is in the proof twice');
  }

  /**
   * The content of a node that was reached from the root.
   * @throws RangeProofError when it is not in the proof
   */
  open(node: TrieNode): Resolved {
    if (node.kind !== 'unresolved') return node;
    const found = this.nodes.get(keyOf(node.hash));
    if (found === undefined) throw new RangeProofError('a node on the way is not in the proof');
    this.opened.add(found);
    return decode(found);
  }

  /**
   * All nodes, after the ways were gone.
   * @throws RangeProofError when the proof has one that is on no way
   */
  used(): readonly HashedNode[] {
    if (this.opened.size < this.nodes.size)
      throw new RangeProofError('the proof has nodes that are on no way');
    return [...this.opened];
  }
}

/** @throws RangeProofError when the bytes are not a node as tries write it */
function decode({ hash, encoded }: HashedNode): Resolved {
  const node = tryDecode(encoded);
  if (node === undefined) throw new RangeProofError('not a trie node');
  node.reference = hash;
  return node;
}

function tryDecode(encoded: Uint8Array): Resolved | undefined {
  try {
    const node = decodeNode(encoded) as Resolved;
    const isCanonical =
      Buffer.compare(
        encodeNode(node, () => undefined),
        encoded,
      ) === 0;
    return isCanonical && isWellFormed(node) ? node : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the ways from here on get longer by a nibble at least. */
function isWellFormed(node: Resolved): boolean {
  if (node.kind === 'leaf') return true;
  if (node.kind === 'branch') return node.children.every(isReference);
  return node.path.length > 0 && isReference(node.child);
}

function isReference(child: TrieNode | null): boolean {
  if (child === null) return true;
  return child.kind === 'unresolved' ? child.hash.length === HASH_BYTES : isWellFormed(child);
}
