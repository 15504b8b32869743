import { keccak256 } from '@tetrad/crypto';
import { encodeRlp, type RlpTree } from '@tetrad/rlp';

/** A key of one trie, a nibble a byte, and its value. */
interface Entry {
  readonly path: Uint8Array;
  readonly value: Uint8Array;
}

const NONE = new Uint8Array(0);

/** Root of a Merkle Patricia trie (Yellow Paper, appendix D) of whole entries, built from nothing. */
export function trieRoot(entries: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sorted = [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => ({ path: Uint8Array.from(key, (digit) => parseInt(digit, 16)), value }));
  return keccak256(sorted.length === 0 ? Uint8Array.of(0x80) : encodeRlp(node(sorted, 0)));
}

/** The node over sorted entries that share their first `depth` nibbles. */
function node(entries: readonly Entry[], depth: number): RlpTree {
  const first = entries[0] as Entry;
  const last = entries.at(-1) as Entry;
  if (entries.length === 1) return [hexPrefix(first.path.subarray(depth), true), first.value];
  let shared = depth;
  while (first.path[shared] === last.path[shared]) shared++;
  if (shared > depth)
    return [hexPrefix(first.path.subarray(depth, shared), false), reference(entries, shared)];
  const children = Array.from({ length: 16 }, (_, nibble) => {
    const below = entries.filter(({ path }) => path[depth] === nibble);
    return below.length === 0 ? NONE : reference(below, depth + 1);
  });
  return [...children, NONE];
}

function reference(entries: readonly Entry[], depth: number): RlpTree {
  const tree = node(entries, depth);
  const encoded = encodeRlp(tree);
  return encoded.length < 32 ? tree : keccak256(encoded);
}

function hexPrefix(nibbles: Uint8Array, leaf: boolean): Uint8Array {
  const odd = nibbles.length % 2;
  const flag = (leaf ? 2 : 0) + odd;
  const digits = odd === 1 ? [flag, ...nibbles] : [flag, 0, ...nibbles];
  return Uint8Array.from({ length: digits.length / 2 }, (_, n) => {
    return ((digits[n * 2] as number) << 4) | (digits[n * 2 + 1] as number);
  });
}
