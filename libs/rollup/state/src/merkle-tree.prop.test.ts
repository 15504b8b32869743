import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FIELD_MODULUS } from '@tetrad/rollup-crypto';
import { MerkleTree, rootOfPath, treeOfLeaves } from './merkle-tree.js';
import { emptyRoot, hashPair } from './tree-shape.js';

const DEPTH = 5;
const leaves = fc.array(
  fc.tuple(fc.nat({ max: 2 ** DEPTH - 1 }), fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n })),
  { maxLength: 12 },
);

/** All nodes of all levels, computed the long way. */
function rootOfAll(values: readonly bigint[]): bigint {
  let level = [...values];
  while (level.length > 1) {
    level = Array.from({ length: level.length / 2 }, (_, index) =>
      hashPair(level[2 * index] as bigint, level[2 * index + 1] as bigint),
    );
  }
  return level[0] as bigint;
}

describe('a tree', () => {
  it('has the root of all its leaves, in whatever order they came', () => {
    fc.assert(
      fc.property(leaves, (entries) => {
        const values = Array.from({ length: 2 ** DEPTH }, () => 0n);
        for (const [index, leaf] of entries) values[index] = leaf;
        const tree = new MerkleTree(DEPTH, () => undefined);
        for (const [index, leaf] of entries) tree.update(index, leaf);
        expect(tree.root).toBe(rootOfAll(values));
        expect(treeOfLeaves(DEPTH, values.entries()).root).toBe(tree.root);
      }),
      { numRuns: 30 },
    );
  });

  it('has paths that lead from each leaf to the root, and from nothing else', () => {
    fc.assert(
      fc.property(leaves, fc.nat({ max: 2 ** DEPTH - 1 }), (entries, index) => {
        const tree = new MerkleTree(DEPTH, () => undefined);
        for (const [place, leaf] of entries) tree.update(place, leaf);
        const leaf = tree.node(0, index);
        expect(rootOfPath(leaf, index, tree.path(index))).toBe(tree.root);
        expect(rootOfPath(leaf + 1n, index, tree.path(index))).not.toBe(tree.root);
      }),
      { numRuns: 30 },
    );
  });

  it('continues from what was stored of it', () => {
    const stored = new Map<string, bigint>();
    const open = () => new MerkleTree(32, (level, index) => stored.get(`${level}/${index}`));
    const whole = new MerkleTree(32, () => undefined);
    for (const [place, index] of [0, 1, 2 ** 32 - 1, 2 ** 31, 77].entries()) {
      const part = open();
      part.update(index, BigInt(place + 1));
      expect(part.writes()).toHaveLength(33);
      for (const { level, index: at, hash } of part.writes()) stored.set(`${level}/${at}`, hash);
      whole.update(index, BigInt(place + 1));
      expect(open().root).toBe(whole.root);
    }
  });

  it('that is empty has the root of an empty tree', () => {
    expect(new MerkleTree(28, () => undefined).root).toBe(emptyRoot(28));
    expect(emptyRoot(1)).toBe(hashPair(0n, 0n));
  });
});
