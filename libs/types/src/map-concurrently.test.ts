import { describe, expect, it } from '@jest/globals';
import { mapConcurrently } from './map-concurrently.js';

describe('a task for every item', () => {
  it('runs for so many at a time, and gives the results in the order of the items', async () => {
    let [underWay, most] = [0, 0];
    const results = await mapConcurrently([5, 1, 4, 2, 3], 2, async (item) => {
      most = Math.max(most, (underWay += 1));
      for (let turn = 0; turn < item; turn += 1) await new Promise((done) => setImmediate(done));
      underWay -= 1;
      return item * 10;
    });
    expect([results, most]).toEqual([[50, 10, 40, 20, 30], 2]);
  });

  it('is not started for further items once it has failed', async () => {
    const started: number[] = [];
    const run = mapConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
      started.push(item);
      if (item === 2) throw new Error('the second');
      await new Promise((done) => setImmediate(done));
    });
    await expect(run).rejects.toThrow('the second');
    await new Promise((done) => setImmediate(done));
    expect(started).toEqual([1, 2]);
  });
});
