import { expect, it } from '@jest/globals';
import { Refusals } from './refusals.js';

const refusals = new Refusals({ retryAfterMs: async () => 90_500 });

it('a quota that is used up is said with its window, and when the next begins', async () => {
  const quota = { operations: 20, windowMs: 86_400_000 };
  const error = await refusals.errorOf(
    { refused: 'QUOTA_EXCEEDED', quota, retryAfterMs: 7_300_000 },
    'account 4',
  );
  expect(error).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    data: { limit: 20, windowMs: 86_400_000, retryAfterMs: 7_300_000 },
    message: 'account 4 has had the 20 operations of 24 h; the next may come in 3 h',
  });
});

it('a full queue is said with the time after which there is room', async () => {
  const error = await refusals.errorOf({ refused: 'QUEUE_FULL', maxPending: 800 }, 'account 4');
  expect(error).toMatchObject({
    code: 'QUEUE_FULL',
    data: { limit: 800, retryAfterMs: 90_500 },
    message: 'the queue is full for account 4: it is for 800 operations of all; try again in 91 s',
  });
});
