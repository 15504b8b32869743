import type { Branch, Extension, Leaf, TrieNode } from './trie-node.js';

/** The node with the value under the path; the nodes on the way are read. */
export function insert(node: TrieNode | null, path: Uint8Array, value: Uint8Array): TrieNode {
  if (node === null) return leaf(path, value);
  if (node.kind === 'unresolved') throw new TypeError('a node on the way to a key was not read');
  if (node.kind === 'branch') {
    const nibble = path[0] as number;
    node.children[nibble] = insert(node.children[nibble] ?? null, path.subarray(1), value);
    node.reference = undefined;
    return node;
  }
  const shared = commonLength(node.path, path);
  if (node.kind === 'leaf' && shared === path.length) return leaf(path, value);
  if (node.kind === 'extension' && shared === node.path.length) {
    node.child = insert(node.child, path.subarray(shared), value);
    node.reference = undefined;
    return node;
  }
  return split(node, path, { shared, value });
}

export function leaf(path: Uint8Array, value: Uint8Array): Leaf {
  return { kind: 'leaf', path, value };
}

export function extension(path: Uint8Array, child: TrieNode): Extension {
  return { kind: 'extension', path, child };
}

/** Two paths part inside a leaf or an extension: a branch there, behind what they share. */
function split(
  node: Leaf | Extension,
  path: Uint8Array,
  { shared, value }: { shared: number; value: Uint8Array },
): TrieNode {
  const branch: Branch = { kind: 'branch', children: new Array<TrieNode | null>(16).fill(null) };
  const rest = node.path.subarray(shared + 1);
  const old =
    node.kind === 'leaf'
      ? leaf(rest, node.value)
      : rest.length === 0
        ? node.child
        : extension(rest, node.child);
  branch.children[node.path[shared] as number] = old;
  branch.children[path[shared] as number] = leaf(path.subarray(shared + 1), value);
  return shared === 0 ? branch : extension(path.subarray(0, shared), branch);
}

/** How many nibbles both paths begin with. */
export function commonLength(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a[length] === b[length]) length++;
  return length;
}
