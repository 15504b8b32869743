import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HistoryFrontier, frontierNodes } from './history-frontier.js';
import { MerkleTree } from './merkle-tree.js';
import { HISTORY_TREE_DEPTH } from './tree-shape.js';

const roots = fc.array(fc.bigInt({ min: 1n, max: 2n ** 250n }), { minLength: 1, maxLength: 20 });

function treeOf(batches: readonly bigint[]): MerkleTree {
  const tree = new MerkleTree(HISTORY_TREE_DEPTH, () => undefined);
  tree.updateAll(batches.map((root, index) => [index + 1, root]));
  return tree;
}

describe('a history that goes on from a batch', () => {
  it('has the roots of the whole one, wherever it begins', () => {
    fc.assert(
      fc.property(roots, fc.nat(), (batches, place) => {
        const height = place % (batches.length + 1);
        const before = treeOf(batches.slice(0, height));
        const nodes = frontierNodes(height, (level, index) => before.node(level, index));
        const frontier = HistoryFrontier.of(height, nodes);
        expect([frontier.height, frontier.root]).toEqual([height, before.root]);
        batches.slice(height).forEach((root) => frontier.append(root));
        expect([frontier.height, frontier.root]).toEqual([batches.length, treeOf(batches).root]);
      }),
      { numRuns: 25 },
    );
  });

  it('has another root when a node that it goes on from is another', () => {
    fc.assert(
      fc.property(roots, fc.nat(), (batches, place) => {
        const tree = treeOf(batches);
        const height = batches.length;
        const nodes = frontierNodes(height, (level, index) => tree.node(level, index));
        // The lowest even level, and the odd ones above it, are those that later roots are made with.
        const lowest = nodes.findIndex((_, level) => Math.floor(height / 2 ** level) % 2 === 0);
        const used = nodes.flatMap((_, level) => {
          const isOdd = Math.floor(height / 2 ** level) % 2 === 1;
          return level === lowest || (level > lowest && isOdd) ? [level] : [];
        });
        const changed = used[place % used.length] as number;
        const others = nodes.map((node, level) => (level === changed ? node + 1n : node));
        expect(HistoryFrontier.of(height, others).root).not.toBe(tree.root);
      }),
      { numRuns: 25 },
    );
  });
});
