import { describe, expect, it } from '@jest/globals';
import type { ReceivedOrder } from '@tetrad/rollup-state';
import fc from 'fast-check';
import { planExit, type PlannedBatch } from './exit-plan.js';

const amounts = fc.bigInt({ min: 1n, max: 40n });
const tokens = fc.integer({ min: 0, max: 2 });
const orders = fc.array(fc.tuple(tokens, amounts), { maxLength: 20 }).map((list) =>
  list.map(([tokenId, amount], index): ReceivedOrder => ({
    totalIndex: index + 1,
    order: { fromAccountId: 2, toAccountId: 1, tokenId, amount, blindingFactor: 5n },
  })),
);
const balances = fc.dictionary(fc.constantFrom('0', '1', '2'), fc.bigInt({ min: 0n, max: 40n }));
const sizes = fc.integer({ min: 2, max: 8 });

/**
 * What is left of an account after the batches.
 * @throws Error for a balance below zero
 */
function carryOut(held: Map<number, bigint>, plan: readonly PlannedBatch[]): Map<number, bigint> {
  for (const { redeemed, transfers } of plan) {
    for (const { order } of redeemed) held.set(order.tokenId, (held.get(order.tokenId) ?? 0n) + order.amount);
    for (const { tokenId, amount } of transfers) {
      const left = (held.get(tokenId) ?? 0n) - amount;
      if (left < 0n) throw new Error('more leaves than there is');
      held.set(tokenId, left);
    }
  }
  return held;
}

describe('the plan of an exit', () => {
  it('pays out what is there, in batches that each have a transfer, and no transfer twice', () => {
    fc.assert(
      fc.property(balances, orders, sizes, (balances, received, size) => {
        const held = new Map(Object.entries(balances).map(([id, amount]) => [Number(id), amount]));
        const plan = planExit({ balances: held }, received, size);
        expect(plan.flatMap(({ redeemed }) => redeemed)).toEqual(
          received.slice(0, plan.flatMap(({ redeemed }) => redeemed).length),
        );
        for (const { redeemed, transfers } of plan) {
          expect(transfers.length).toBeGreaterThan(0);
          expect(redeemed.length + transfers.length).toBeLessThanOrEqual(size);
          for (const { amount } of transfers) expect(amount).toBeGreaterThan(0n);
        }
        const all = plan.flatMap(({ transfers }) => transfers.map((one) => `${one.tokenId}/${one.amount}`));
        expect(new Set(all).size).toBe(all.length);
        carryOut(new Map(held), plan);
      }),
    );
  });

  it('leaves nothing after some rounds, whatever the amounts', () => {
    fc.assert(
      fc.property(balances, orders, sizes, (balances, received, size) => {
        let held = new Map(Object.entries(balances).map(([id, amount]) => [Number(id), amount]));
        let left = received;
        for (let rounds = 0; ; rounds += 1) {
          const plan = planExit({ balances: held }, left, size);
          if (plan.length === 0) break;
          expect(rounds).toBeLessThan(100);
          held = carryOut(new Map(held), plan);
          left = left.slice(plan.flatMap(({ redeemed }) => redeemed).length);
        }
        expect(left).toEqual([]);
        expect([...held.values()].every((amount) => amount === 0n)).toBe(true);
      }),
    );
  });

  it('goes on as it was planned after each of its batches', () => {
    const held = new Map([[0, 100n]]);
    const received = [7n, 9n, 7n].map((amount, index): ReceivedOrder => ({
      totalIndex: index + 1,
      order: { fromAccountId: 2, toAccountId: 1, tokenId: 0, amount, blindingFactor: 5n },
    }));
    const [first, ...rest] = planExit({ balances: held }, received, 2);
    const after = carryOut(new Map(held), [first as PlannedBatch]);
    expect(planExit({ balances: after }, received.slice(1), 2)).toEqual(rest);
  });
});
