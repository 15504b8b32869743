import { expect, it } from '@jest/globals';
import { runAtOnce } from './run-at-once.js';

it('work that runs at the same time has ended, all of it, when one piece fails', async () => {
  const ended: number[] = [];
  let next = 0;
  const work = async () => {
    const own = next++;
    for (let turns = 0; turns < own; turns++) await new Promise((turn) => setImmediate(turn));
    ended.push(own);
    if (own === 1) throw new Error('one failed');
  };
  await expect(runAtOnce(4, work)).rejects.toThrow('one failed');
  expect(ended).toEqual([0, 1, 2, 3]);
});
