import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { Sequencer } from '../src/index.js';
import { DOMAIN, OPERATOR_KEY, TestSequence } from './test-sequence.js';

let sequence: TestSequence;
beforeAll(async () => {
  sequence = await TestSequence.open();
});
afterAll(() => sequence.close());
beforeEach(() => sequence.empty());

describe('the order of nonces', () => {
  const user = (id: number, seed: number) => {
    const random = seededRandom(seed);
    return new RollupUser(id, OPERATOR_KEY, DOMAIN, () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n);
  };

  async function fundedUser(sequencer: Sequencer): Promise<RollupUser> {
    const one = user(1, 1);
    await sequence.accept(one.create());
    await sequence.addDeposits([
      { kind: 'inboundTransfer', index: 0, accountId: 1, tokenId: 0, amount: 100n },
    ]);
    // A deposit may take all three places of a step, since it may be credited.
    for (let step = 0; step < 2; step += 1) await sequencer.executePending();
    await sequencer.sealOpenBatch();
    const order = await sequence.store.listReceivedOrders({
      toAccountId: 1,
      fromTotalIndex: 0,
      upToHeight: 9,
      limit: 1,
    });
    const [first] = order;
    if (first === undefined) throw new Error('no order');
    await sequence.accept(one.redeem(first.order, first.totalIndex, 1));
    await sequencer.executePending();
    return one;
  }

  const ADDRESS = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';

  it('makes operations wait for those before them, and replaces one by a later with the same nonce', async () => {
    const sequencer = new Sequencer(sequence.store, { domain: DOMAIN, batchSize: 2 });
    const one = await fundedUser(sequencer);
    const fourth = await sequence.accept(one.transferOut(ADDRESS, 0, 4n, 4));
    const third = await sequence.accept(one.transferOut(ADDRESS, 0, 3n, 3));
    await sequencer.executePending();
    const status = async (hash: bigint) => {
      const found = await sequence.store.findOperation(hash);
      return found?.rejectionReason ?? found?.status;
    };
    expect([await status(fourth), await status(third)]).toEqual(['PENDING', 'PENDING']);
    const other = await sequence.accept(one.transferOut(ADDRESS, 0, 33n, 3));
    const second = await sequence.accept(one.transferOut(ADDRESS, 0, 2n, 2));
    while ((await sequencer.executePending()).executed > 0);
    expect([await status(third), await status(other)]).toEqual([
      'REPLACED_BY_OPERATION_WITH_SAME_NONCE',
      'EXECUTED',
    ]);
    expect([await status(second), await status(fourth)]).toEqual(['EXECUTED', 'EXECUTED']);
    const late = await sequence.accept(one.transferOut(ADDRESS, 0, 5n, 4));
    await sequencer.executePending();
    expect([await status(late), (await sequence.store.findAccount(1))?.balances.get(0)]).toEqual([
      'NONCE_TOO_LOW',
      61n,
    ]);
  });

  it('tries one that was rejected again when it comes again', async () => {
    const sequencer = new Sequencer(sequence.store, { domain: DOMAIN, batchSize: 2 });
    const one = await fundedUser(sequencer);
    const tooMuch = one.transferOut(ADDRESS, 0, 101n, 2);
    const hash = await sequence.accept(tooMuch);
    await sequencer.executePending();
    expect(await sequence.store.findOperation(hash)).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'BALANCE_TOO_LOW',
    });
    // Put by hand, where otherwise a redemption would use the nonce up.
    await sequence.database.pool.query(`UPDATE account_version SET balances = '{"0": "101"}'`);
    await sequence.database.pool.query('UPDATE sequence_head SET version = version + 1');
    await sequence.accept(tooMuch);
    await sequencer.executePending();
    expect(await sequence.store.findOperation(hash)).toMatchObject({
      status: 'EXECUTED',
      rejectionReason: undefined,
    });
  });

  it('gives each operation one place, however many sequencers there are', async () => {
    const sequencers = [1, 2, 3].map(
      () => new Sequencer(sequence.store, { domain: DOMAIN, batchSize: 2, stepSize: 3 }),
    );
    const one = await fundedUser(sequencers[0] as Sequencer);
    const hashes: bigint[] = [];
    for (let nonce = 2; nonce <= 25; nonce += 1)
      hashes.push(await sequence.accept(one.transferOut(ADDRESS, 0, 1n, nonce)));
    const run = async (sequencer: Sequencer) => {
      for (let turn = 0; turn < 12; turn += 1) {
        await sequencer.executePending();
        await sequencer.assembleNext();
        if (turn % 4 === 3) await sequencer.sealOpenBatch();
      }
    };
    await Promise.all(sequencers.map(run));
    const stored = await Promise.all(hashes.map((hash) => sequence.store.findOperation(hash)));
    expect(stored.map((found) => found?.status)).toEqual(hashes.map(() => 'EXECUTED'));
    expect((await sequence.store.findAccount(1))?.balances.get(0)).toBe(76n);
    const { openHeight } = await sequence.store.readHead();
    const { rows } = await sequence.database.pool.query<{ height: number }>(
      'SELECT height FROM batch ORDER BY height',
    );
    const heights = rows.map(({ height }) => height).filter((height) => height < openHeight);
    expect(heights).toEqual(Array.from({ length: openHeight - 1 }, (_, place) => place + 1));
  });
});
