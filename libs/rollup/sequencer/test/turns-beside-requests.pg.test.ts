import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS } from '@tetrad/types';
import { RollupUser, deposit, depositOrder } from '../../state/src/testing/rollup-user.js';
import { Sequencer } from '../src/index.js';
import { DOMAIN, OPERATOR_KEY, REQUESTS, RequestedRollup, type Requested } from './requested-rollup.js';

/** Free accounts that ask the contract for dust; the last of them is a newcomer that asks politely. */
const STRANGERS = 25;

let rollup: RequestedRollup;
let sequencer: Sequencer;
let newcomer: Requested;
let flood: readonly Requested[] = [];
beforeAll(async () => {
  rollup = await RequestedRollup.open();
});
afterAll(() => rollup?.close());

/** Account 1 has been here for long: six operations of it are executed. */
beforeEach(async () => {
  await rollup.reset();
  await rollup.accept(rollup.redeem(0, 0, 50n));
  await rollup.accept(rollup.redeem(1, 1, 50n));
  for (let nonce = 2; nonce <= 6; nonce += 1) await rollup.accept(rollup.transferOut(0, 1n, nonce));
  await rollup.run();
  const redemptions = await createStrangers();
  newcomer = redemptions.at(-1) as Requested;
  flood = redemptions.slice(0, -1);
  // Which kind of work is next begins anew.
  sequencer = new Sequencer(rollup.store, { domain: DOMAIN, batchSize: 4 });
});

/** Accounts without an operation, each with an order of one unit. */
async function createStrangers(): Promise<Requested[]> {
  let last = 900n;
  const users = Array.from(
    { length: STRANGERS },
    (_, index) => new RollupUser(index + 4, OPERATOR_KEY, DOMAIN, () => ++last),
  );
  const creations = users.map((user) => user.create());
  for (const creation of creations) await rollup.accept(creation);
  rollup.creations = [...rollup.creations, ...creations];
  const made = users.map((user, place) => deposit(place + 4, user, 0, 1n));
  await rollup.advance({ deposits: made.map((one) => ({ ...one, sender: ZERO_ADDRESS, blockNumber: 1 })) });
  await rollup.run();
  const { rows } = await rollup.database.pool.query<{ to: number; index: number }>(
    'SELECT to_account_id AS "to", total_index AS index FROM money_order WHERE to_account_id > 3 ORDER BY to_account_id',
  );
  return rows.map(({ index }, place) => {
    const user = users[place] as RollupUser;
    return user.redeem(depositOrder(made[place] as (typeof made)[number]), index, 1) as Requested;
  });
}

const step = (room: number) => sequencer.executePending({ requests: REQUESTS, room });
const isExecuted = async (operation: Requested) => (await rollup.placeOf(operation))[0] === 'EXECUTED';

describe('what was accepted', () => {
  it('has its quarter of the places beside a flood of requests, and its turns', async () => {
    const { openHeight: height } = await rollup.store.readHead();
    await rollup.askAll(flood, 10_000_000, height - 1);
    const [first, second] = [rollup.transferOut(0, 1n, 7), rollup.transferOut(0, 1n, 8)];
    await rollup.accept(first);
    await step(2);
    await step(2);
    expect(await isExecuted(first)).toBe(true);
    // A request was left for the next step: who comes now has the turn of what waits, and none before it.
    await rollup.accept(second);
    await rollup.accept(newcomer);
    await step(2);
    await step(2);
    expect([await isExecuted(second), await isExecuted(newcomer)]).toEqual([true, false]);
    await step(2);
    await step(2);
    expect(await isExecuted(newcomer)).toBe(true);
  });

  it('keeps its turns when the batch of a request is taken back', async () => {
    const { openHeight: height } = await rollup.store.readHead();
    await rollup.askAll(flood.slice(0, 1), 10_000_000, height - 1);
    await step(1);
    await rollup.store.sequence((one) => one.rewind(height));
    const transfer = rollup.transferOut(0, 1n, 7);
    await rollup.accept(transfer);
    await rollup.accept(newcomer);
    const places = [];
    for (const room of [1, 1, 1]) {
      await step(room);
      places.push([await isExecuted(transfer), await isExecuted(newcomer)]);
    }
    expect(places).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
  });
});
