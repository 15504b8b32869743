import { expect, it } from '@jest/globals';
import { ImportProgress } from './import-progress.js';

const counts = (imported: number, transactions: number, known = 0) => ({
  blockNumber: imported + known,
  imported,
  transactions,
  known,
});

it('estimates the time left by executed blocks, once blocks that were stored are skipped', () => {
  const progress = new ImportProgress(1_000, { ms: 0, counts: counts(0, 0) });
  expect(progress.report({ ms: 1_000, bytes: 800, counts: counts(0, 0, 80) }).secondsLeft).toBe(1);
  // 5 s for 100 bytes.
  expect(progress.report({ ms: 6_000, bytes: 900, counts: counts(10, 100, 80) }).secondsLeft).toBe(5);
});

it('shows the speed since the last report, and the time left by the bytes of all files', () => {
  const progress = new ImportProgress(1_000, { ms: 10_000, counts: counts(0, 0) });
  expect(progress.report({ ms: 10_500, bytes: 0, counts: counts(0, 0) })).toMatchObject({
    block: 0,
    read: 0,
    blocksPerSecond: 0,
    secondsLeft: undefined,
  });
  expect(progress.report({ ms: 12_500, bytes: 250, counts: counts(100, 3_000, 50) })).toEqual({
    block: 150,
    read: 25,
    blocksPerSecond: 75,
    transactionsPerSecond: 1_500,
    secondsLeft: 8,
  });
  expect(progress.report({ ms: 14_500, bytes: 1_000, counts: counts(300, 3_100, 50) })).toEqual({
    block: 350,
    read: 100,
    blocksPerSecond: 100,
    transactionsPerSecond: 50,
    secondsLeft: 0,
  });
});
