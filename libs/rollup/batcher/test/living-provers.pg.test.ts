import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { multiplyGenerator, operationHash } from '@tetrad/rollup-crypto';
import { Sequencer } from '@tetrad/rollup-sequencer';
import { openRollupStore, takeLease, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, seededRandom, type TestDatabase } from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { Batcher, LivingProvers, announceProver, provingLease, type BatcherParts } from '../src/index.js';
import { LEASE_MS, PROVERS_GONE_MS } from '../src/params.js';

const DOMAIN = 31337n;
const SIZES = [2, 8];
const SECOND = 1_000;

describe('sizes of batches and the provers that live', () => {
  let test: TestDatabase;
  let database: Database;
  let store: RollupStore;
  let batcher: Batcher;
  let users = 0;
  let later = 0;
  const clock = { ...systemClock, now: () => Date.now() + later };
  const random = seededRandom(3);

  beforeEach(async () => {
    later = 0;
    test = await createTestDatabase('rollup-operator');
    database = await connectDatabase({ url: test.url, poolSize: 10 });
    store = openRollupStore(database);
    batcher = openBatcher(SIZES);
    await batcher.beat();
  });
  afterEach(async () => {
    await database.close();
    await test.drop();
  });

  /** What it has of a chain says that nothing is demanded. */
  function openBatcher(sizes: readonly number[]): Batcher {
    const sequencer = new Sequencer(store, {
      domain: DOMAIN,
      batchSize: Math.max(...sizes),
      smallerSizes: sizes,
    });
    const parts: Pick<BatcherParts, 'database' | 'store' | 'sequencer' | 'provers' | 'enqueueProofs'> = {
      database,
      store,
      sequencer,
      provers: new LivingProvers({ database, clock, sizes }),
      enqueueProofs: () => Promise.resolve(),
    };
    const chain = { watch: { freezes: false, isFrozen: false, served: undefined } };
    const claim = { name: 'batcher', holder: 'test' };
    return new Batcher({ ...parts, ...chain, claim, clock, sealIntervalMs: 5 * SECOND } as never);
  }

  async function accept(count: number): Promise<void> {
    const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
    for (let one = 0; one < count; one += 1) {
      const operation = new RollupUser((users += 1), multiplyGenerator(99n), DOMAIN, draw).create();
      if (operation.kind === 'inboundTransfer' || operation.kind === 'credit')
        throw new TypeError('only what is signed is accepted');
      await store.accept({ hash: operationHash(DOMAIN, operation), operation });
    }
  }

  /** Leases are by the clock of the database, which the tests do not move. */
  const die = (size: number) =>
    takeLease(database.pool, { name: `provers/${size}`, holder: 'provers' }, -LEASE_MS);
  async function settle(by = batcher): Promise<void> {
    while (await by.step('seal'));
  }
  async function batches(): Promise<unknown[]> {
    const { openHeight } = await store.readHead();
    const rows = [];
    for (let height = 1; height <= openHeight; height += 1) rows.push(await store.findBatch(height));
    return rows.flatMap((row) => (row === undefined ? [] : [[row.state, row.operations, row.size]]));
  }
  const sealed = (count: number, size: number) => Array.from({ length: count }, () => ['sealed', size, size]);

  it('are all used while some prover lives for each, and while none says so', async () => {
    await accept(8);
    await settle();
    expect(await batches()).toEqual(sealed(1, 8));
    later = PROVERS_GONE_MS + 10 * SECOND;
    await accept(8);
    await settle();
    expect(await batches()).toEqual(sealed(2, 8));
    await announceProver(database, SIZES);
    later += PROVERS_GONE_MS + 10 * SECOND;
    await accept(8);
    await settle();
    expect(await batches()).toEqual(sealed(3, 8));
  });

  it('are those of provers that live, and what waits for another is made again for them', async () => {
    await announceProver(database, SIZES);
    await accept(8);
    await settle();
    expect(await batches()).toEqual(sealed(1, 8));
    await die(8);
    later = 10 * SECOND;
    await settle();
    // It may be back in a moment.
    expect(await batches()).toEqual(sealed(1, 8));
    later += PROVERS_GONE_MS;
    await settle();
    expect(await batches()).toEqual(sealed(4, 2));
    await accept(8);
    await settle();
    expect(await batches()).toEqual(sealed(8, 2));
    await announceProver(database, [8]);
    later += 10 * SECOND;
    await accept(8);
    await settle();
    expect(await batches()).toEqual([...sealed(8, 2), ...sealed(1, 8)]);
  });

  it('leave what is open in a size that is gone to those that live', async () => {
    await announceProver(database, SIZES);
    // Less than a batch of 8, and more than a batch of 2 holds.
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: 8, smallerSizes: SIZES });
    await accept(5);
    await sequencer.executePending({ isProverBehind: true });
    expect(await batches()).toEqual([['open', 5, 8]]);
    expect(await sequencer.sealOpenBatch([2])).toBeUndefined();
    await settle();
    await die(8);
    later = 4 * SECOND;
    await batcher.step('seal');
    later += PROVERS_GONE_MS;
    await settle();
    expect(await batches()).toEqual([...sealed(2, 2), ['open', 1, 2]]);
  });

  it('do not take a batch from a prover that is at work on it', async () => {
    await announceProver(database, SIZES);
    await accept(8);
    await settle();
    await takeLease(database.pool, { name: provingLease(1), holder: 'earlier' }, 600 * SECOND);
    await die(8);
    later = 10 * SECOND;
    await settle();
    later += PROVERS_GONE_MS;
    await settle();
    expect(await batches()).toEqual(sealed(1, 8));
    await takeLease(database.pool, { name: provingLease(1), holder: 'earlier' }, -LEASE_MS);
    later += 10 * SECOND;
    await settle();
    expect(await batches()).toEqual(sealed(4, 2));
  });

  it('of a former start are made again when no prover has them', async () => {
    await announceProver(database, SIZES);
    await accept(8);
    await settle();
    const next = openBatcher([2]);
    await next.beat();
    await die(8);
    await settle(next);
    expect(await batches()).toEqual(sealed(1, 8));
    later = PROVERS_GONE_MS + SECOND;
    await settle(next);
    expect(await batches()).toEqual(sealed(4, 2));
  });
});
