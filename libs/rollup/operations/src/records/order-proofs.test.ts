import { describe, expect, it } from '@jest/globals';
import { totalIndex } from '@tetrad/rollup-crypto';
import { OrderProofs } from './order-proofs.js';

/** Batches of two orders, of which the first ones are final; counts how often a batch is read. */
function proofs(finalHeight: number) {
  const read: number[] = [];
  const found = new OrderProofs({
    finalHeight: async () => finalHeight,
    batchOrders: async (batchHeight) => {
      read.push(batchHeight);
      return [BigInt(batchHeight), 2n];
    },
  });
  return { found, read };
}

describe('the path of a money order', () => {
  it('goes from the order to the root of its batch, which is read once', async () => {
    const { found, read } = proofs(7);
    const [first, second] = [await found.pathOf(totalIndex(7, 0)), await found.pathOf(totalIndex(7, 1))];
    expect([first[0], second[0]]).toEqual([2n, 7n]);
    expect(first.slice(1)).toEqual(second.slice(1));
    expect(read).toEqual([7]);
  });

  it('is there for a redeemed order as long as its batch is final', async () => {
    const { found } = proofs(7);
    expect(await found.findPath(totalIndex(7, 1))).toEqual(await found.pathOf(totalIndex(7, 1)));
    expect(await found.findPath(totalIndex(8, 1))).toBeUndefined();
    expect(await found.findPath(undefined)).toBeUndefined();
  });
});
