import { describe, expect, it } from '@jest/globals';
import { operationHeader } from '@tetrad/rollup-circuits';
import { seededRandom } from '@tetrad/testkit';
import type { Batch } from './batch.js';
import { PublicRoots } from './public-roots.js';
import { PublicState, PublicStateError, type PublicBatch } from './public-state.js';
import { RandomRollup } from './testing/random-rollup.js';
import { emptyStateRoot } from './tree-shape.js';

/** What the contract publishes of it, as far as the trees follow from it. */
function published({ publicInputs }: Batch): PublicBatch {
  const { height, nextStateRoot, ordersRoot, operations } = publicInputs;
  return {
    height,
    nextStateRoot,
    ordersRoot,
    headers: operations.map(operationHeader),
    leaves: operations.map(({ leaf }) => leaf),
    orders: operations.map(({ order }) => order),
  };
}

async function randomBatches(seed: number, count: number): Promise<PublicBatch[]> {
  const rollup = new RandomRollup(seededRandom(seed), 4, { hasConsents: seed % 2 === 1 });
  const batches: PublicBatch[] = [];
  for (let step = 0; step < count; step += 1)
    batches.push(published(await rollup.step(async () => undefined)));
  return batches;
}

describe('the roots of the public state', () => {
  it('are those of the whole public state after every batch of random sequences', async () => {
    expect(new PublicRoots().root).toBe(emptyStateRoot());
    for (const seed of [1, 2, 3]) {
      const [roots, state] = [new PublicRoots(), new PublicState()];
      for (const batch of await randomBatches(seed, 24)) {
        roots.apply(batch);
        state.apply(batch);
        expect([roots.height, roots.root]).toEqual([batch.height, batch.nextStateRoot]);
        expect([roots.accountRoot, roots.historyRoot]).toEqual([
          state.accountTree.root,
          state.historyTree.root,
        ]);
      }
      expect(roots.accountCount).toBeGreaterThan(1);
      for (let id = 0; id <= roots.accountCount + 1; id += 1)
        expect(roots.leaf(id)).toBe(state.accountTree.node(0, id));
    }
  });

  it('refuse a batch out of order, and one that differs in a leaf, an order or a root', async () => {
    const [first, second] = (await randomBatches(4, 2)) as [PublicBatch, PublicBatch];
    const check = (batch: PublicBatch) => () => new PublicRoots().apply(batch);
    expect(check(first)).not.toThrow();
    expect(check(second)).toThrow(new PublicStateError('batch 1 is next, not 2'));
    expect(check({ ...first, leaves: first.leaves.with(0, 5n) })).toThrow(/leads to another state root/);
    expect(check({ ...first, nextStateRoot: 5n })).toThrow(/leads to another state root/);
    expect(check({ ...first, orders: first.orders.with(0, 5n) })).toThrow(/have another root/);
    const elsewhere = first.headers.with(0, (first.headers[0] as bigint) + (7n << 96n));
    expect(check({ ...first, headers: elsewhere })).toThrow(/touches account 8, and 1 is next/);
  });
});
