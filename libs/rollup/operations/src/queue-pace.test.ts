import { expect, it } from '@jest/globals';
import { QueuePace, timeOfQuarter } from './queue-pace.js';

const NOW = 1_000_000_000;
/** Closed so many seconds ago. */
const batch = (secondsAgo: number, operations = 2) => ({
  operations,
  sealedAt: new Date(NOW - secondsAgo * 1_000),
});

it('a quarter of the queue takes as long as at the pace of the last batches, until now', () => {
  const every10Seconds = Array.from({ length: 10 }, (_, index) => batch((index + 1) * 10));
  expect(timeOfQuarter(every10Seconds, 400, NOW)).toBe(500_000);
  // The operator has stood still since.
  expect(timeOfQuarter(every10Seconds, 400, NOW + 100_000)).toBe(1_000_000);
});

it('is between a second and an hour, and a minute before the first batch', () => {
  expect(timeOfQuarter([batch(0)], 400, NOW)).toBe(1_000);
  expect(timeOfQuarter([batch(100_000)], 400, NOW)).toBe(3_600_000);
  expect(timeOfQuarter([], 400, NOW)).toBe(60_000);
});

it('is read once for refusals that come together, and again after a failure', async () => {
  let [now, reads, fails] = [NOW, 0, false];
  const listLastSealed = async () => {
    reads += 1;
    if (fails) throw new Error('the database is unavailable');
    return [batch(10)];
  };
  const pace = new QueuePace({ listLastSealed }, { now: () => now });
  expect(await Promise.all([pace.retryAfterMs(8), pace.retryAfterMs(8)])).toEqual([10_000, 10_000]);
  expect(reads).toBe(1);
  [now, fails] = [NOW + 1_000, true];
  await expect(pace.retryAfterMs(8)).rejects.toThrow('unavailable');
  fails = false;
  expect(await pace.retryAfterMs(8)).toBe(11_000);
  expect(reads).toBe(3);
});
