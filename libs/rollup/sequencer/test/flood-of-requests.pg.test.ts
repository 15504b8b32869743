import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deployedTerms, operationsPerTimeout } from '@tetrad/rollup-chain';
import { operationHash } from '@tetrad/rollup-crypto';
import { isSearch } from '@tetrad/testkit';
import { ZERO_ADDRESS } from '@tetrad/types';
import { RollupUser, deposit, depositOrder } from '../../state/src/testing/rollup-user.js';
import { Sequencer } from '../src/index.js';
import { DOMAIN, OPERATOR_KEY, RequestedRollup, type Requested } from './requested-rollup.js';

/** Free accounts, each with an order of the least that a deposit is. */
const ACCOUNTS = isSearch() ? 2_000 : 500;
const SIZE = 2;
/** As the batcher has it while batches wait for provers. */
const ROOM = 16 * SIZE;
const terms = deployedTerms({ stallTimeoutSeconds: 86_400 });
const rates = {
  requests: operationsPerTimeout(terms) - terms.depositsPerTimeout,
  deposits: terms.depositsPerTimeout,
  accepted: 0.25,
};

let rollup: RequestedRollup;
let sequencer: Sequencer;

beforeAll(async () => {
  rollup = await RequestedRollup.open();
  sequencer = new Sequencer(rollup.store, { domain: DOMAIN, batchSize: SIZE });
});
afterAll(() => rollup?.close());

/** Accounts without an operation, and a deposit of one unit for each. */
async function createAll(users: readonly RollupUser[]): Promise<void> {
  rollup.creations = users.map((user) => user.create());
  for (const creation of rollup.creations) await rollup.accept(creation);
  const deposits = users.map((user, index) => ({
    ...deposit(index, user, 0, 1n),
    sender: ZERO_ADDRESS,
    blockNumber: 1,
  }));
  while ((await sequencer.executePending()).executed > 0);
  await rollup.advance({ deposits });
  while ((await rollup.store.readHead()).nextInbound < users.length) await sequencer.executePending();
  await sequencer.sealOpenBatch();
}

const executed = async (): Promise<string[]> => {
  const { rows } = await rollup.database.pool.query<{ hash: Buffer }>(
    `SELECT hash FROM operation WHERE kind IN (3, 4) AND status = 'EXECUTED' ORDER BY batch_height, batch_index`,
  );
  return rows.map(({ hash }) => hash.toString('hex'));
};
const hashOf = (operation: Requested) => operationHash(DOMAIN, operation).toString(16).padStart(64, '0');

it('hundreds of free accounts that ask for dust delay neither a holder of more, nor deposits, nor what was accepted', async () => {
  const draw = (() => {
    let last = 7n;
    return () => (last = (last * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 250n);
  })();
  const users = Array.from(
    { length: ACCOUNTS },
    (_, index) => new RollupUser(index + 1, OPERATOR_KEY, DOMAIN, draw),
  );
  await createAll(users);
  const { openHeight: height } = await rollup.store.readHead();
  const orders = await rollup.database.pool.query<{ to: number; index: number }>(
    'SELECT to_account_id AS "to", total_index AS index FROM money_order ORDER BY total_index',
  );
  const redemptions = orders.rows.map(({ to, index }, place) => {
    const user = users[to - 1] as RollupUser;
    return user.redeem(depositOrder(deposit(place, user, 0, 1n)), index, 1) as Requested;
  });
  const [polite, holder, ...flood] = redemptions;
  if (polite === undefined || holder === undefined) throw new Error('no redemptions');
  await rollup.askAll(flood, 10_000_000, height - 1);
  // A deposit and an operation that come after all of them, and the request whose share is the largest.
  await rollup.advance({
    deposits: [
      {
        ...deposit(ACCOUNTS, users[0] as RollupUser, 0, 1n),
        sender: ZERO_ADDRESS,
        blockNumber: rollup.block + 1,
      },
    ],
  });
  await rollup.accept(polite);
  await rollup.ask(holder, 9_000n, { height: height - 1 });

  const requests = { progress: [{ tokenId: 0, progress: 1_000n, held: BigInt(ACCOUNTS) }], rates };
  const first = await sequencer.executePending({ requests, room: ROOM });
  expect(first).toMatchObject({ executed: ROOM - 1, rejected: 0 });
  const made = await executed();
  expect(made[0]).toBe(hashOf(holder));
  expect(made).toContain(hashOf(polite));
  expect((await rollup.store.readHead()).nextInbound).toBe(ACCOUNTS + 1);
  expect(made).toHaveLength(ROOM - 1);

  let steps = 0;
  for (let done = first.executed; done > 0; steps += 1)
    ({ executed: done } = await sequencer.executePending({ requests, room: ROOM }));
  expect(steps).toBeGreaterThan(ACCOUNTS / ROOM - 2);
  const all = await executed();
  expect(all).toHaveLength(ACCOUNTS);
  expect(new Set(all).size).toBe(ACCOUNTS);
  // The largest share first, of the flood too.
  const flooded = flood.map(hashOf);
  expect(all.filter((hash) => hash !== hashOf(holder) && hash !== hashOf(polite))).toEqual(flooded);
});
