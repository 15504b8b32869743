import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { applyBatch, type Batch, type BatchPlan, type BatchView } from './batch.js';
import { batchReads } from './batch-reads.js';
import type { NodePosition } from './merkle-tree.js';
import type { RollupOperation } from './rollup-operation.js';
import { RandomRollup } from './testing/random-rollup.js';

/** A view that has what was fetched and nothing else. */
function fetchedView(view: BatchView, height: number, operations: readonly RollupOperation[]): BatchView {
  const reads = batchReads(height, operations);
  const key = ({ level, index }: NodePosition) => `${level}/${index}`;
  const only = (allowed: ReadonlySet<unknown>, what: unknown) => {
    if (!allowed.has(what)) throw new Error(`${String(what)} was not fetched`);
  };
  const [accountNodes, historyNodes] = [
    new Set(reads.accountNodes.map(key)),
    new Set(reads.historyNodes.map(key)),
  ];
  const [accountIds, heights] = [new Set(reads.accountIds), new Set(reads.orderHeights)];
  return {
    account: (id) => (only(accountIds, id), view.account(id)),
    order: (index) => (only(heights, Math.floor(index / 65_536)), view.order(index)),
    orders: (batchHeight) => (only(heights, batchHeight), view.orders(batchHeight)),
    hasOpenOrder: (id, after, before) => (only(accountIds, id), view.hasOpenOrder(id, after, before)),
    accountNode: (level, index) => (only(accountNodes, `${level}/${index}`), view.accountNode(level, index)),
    historyNode: (level, index) => (only(historyNodes, `${level}/${index}`), view.historyNode(level, index)),
  };
}

describe('what a batch reads', () => {
  it('is all fetched before, on random sequences', () => {
    for (let seed = 0; seed < 5; seed += 1) {
      const rollup = new RandomRollup(seededRandom(seed), 4, { hasConsents: seed % 2 === 1 });
      const apply = (view: BatchView, plan: BatchPlan, operations: readonly RollupOperation[]): Batch => {
        const batch = applyBatch(fetchedView(view, plan.height, operations), plan, operations);
        expect(batch).toEqual(applyBatch(view, plan, operations));
        return batch;
      };
      for (let step = 0; step < 10; step += 1) rollup.stepWith(apply);
    }
  });

  it('is bounded by the operations, whatever is in them', () => {
    const redeem = { kind: 'redeemMoneyOrder', order: { toAccountId: 2 ** 32 - 1 }, totalIndex: 2 ** 48 - 1 };
    const reads = batchReads(1, [redeem as RollupOperation]);
    expect(reads.accountNodes).toHaveLength(29);
    expect(reads.historyNodes.length).toBeLessThanOrEqual(65);
  });
});
