import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { DOMAIN, OPERATOR_KEY, REQUESTS, RequestedRollup } from './requested-rollup.js';

const BACKLOG = 30;

let rollup: RequestedRollup;
beforeAll(async () => {
  rollup = await RequestedRollup.open();
});
afterAll(() => rollup?.close());

/** Each of the three accounts has the balance of its first order. */
beforeEach(async () => {
  await rollup.reset();
  for (const user of [0, 1, 2]) await rollup.accept(rollup.redeem(user, user, 50n));
  await rollup.run();
});

/** Transfers of an account, from a nonce on. */
async function acceptTransfers(user: number, count: number, from = 2): Promise<void> {
  for (let nonce = from; nonce < from + count; nonce += 1)
    await rollup.accept(rollup.transferOut(user, 1n, nonce));
}

/** One batch after the other, as while provers are behind. */
const step = (room: number) => rollup.sequencer.executePending({ requests: REQUESTS, room });

/** Accounts of the transfers in the order of their places. */
async function order(): Promise<readonly number[]> {
  const { rows } = await rollup.database.pool.query<{ id: number }>(
    'SELECT account_id AS id FROM operation WHERE kind = 4 AND batch_height IS NOT NULL ORDER BY batch_height, batch_index',
  );
  return rows.map(({ id }) => id);
}

describe('accounts whose operations wait', () => {
  it('take turns from batch to batch, however much one has waiting before', async () => {
    await acceptTransfers(0, BACKLOG);
    await acceptTransfers(1, 3);
    for (let batch = 0; batch < 4; batch += 1) await step(2);
    expect(await order()).toEqual([1, 2, 1, 2, 1, 2, 1, 1]);
    // Who comes now is next, and not behind what is left.
    await acceptTransfers(2, 2);
    await step(1);
    await step(3);
    expect((await order()).slice(8)).toEqual([1, 3, 1, 3]);
  });

  it('have no turns left over from what they did while nothing waited', async () => {
    await acceptTransfers(0, 10);
    await step(100);
    await acceptTransfers(0, 2, 12);
    await acceptTransfers(1, 2);
    await step(4);
    expect((await order()).slice(10)).toEqual([1, 2, 1, 2]);
  });

  it('keep their own order, also when a nonce comes late', async () => {
    await rollup.accept(rollup.transferOut(0, 1n, 3));
    await acceptTransfers(1, 1);
    await step(10);
    await rollup.accept(rollup.transferOut(0, 1n, 2));
    await step(10);
    await step(10);
    expect(await order()).toEqual([2, 1, 1]);
  });

  it('do not come before others with a stock that waited for a nonce', async () => {
    await acceptTransfers(0, 10, 3);
    expect(await step(20)).toMatchObject({ executed: 0, waiting: 10 });
    await acceptTransfers(1, 6);
    await acceptTransfers(0, 1, 2);
    for (let batch = 0; batch < 5; batch += 1) await step(2);
    const places = await order();
    expect(places).toHaveLength(10);
    expect(places.filter((id) => id === 2)).toHaveLength(5);
  });

  it('leave a quarter of the places to registrations, of which no number keeps them out', async () => {
    let last = 900n;
    const users = Array.from(
      { length: 20 },
      (_, index) => new RollupUser(index + 4, OPERATOR_KEY, DOMAIN, () => ++last),
    );
    for (const user of users) await rollup.accept(user.create());
    await acceptTransfers(0, BACKLOG);
    await step(20);
    expect(await order()).toHaveLength(15);
    const { rowCount } = await rollup.database.pool.query(
      "SELECT FROM operation WHERE kind = 1 AND status = 'PENDING'",
    );
    expect(rowCount).toBe(15);
  });
});
