import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { BatchProver, type BatchWitness } from '@tetrad/rollup-circuits';
import { decodeProvingInput } from '@tetrad/rollup-sequencer';
import { openRollupStore, takeLease, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { silentLogger, silentMetrics, systemClock } from '@tetrad/types';
import { ProofJobs, ProofQueue, ProverWorker, provingLease } from '../src/index.js';
import { PROVER_LEASE_MS } from '../src/params.js';
import { writeAssembledBatches } from './assembled-batches.js';

describe('the queue of provers', () => {
  let prover: BatchProver;
  let test: TestDatabase;
  let database: Database;
  let store: RollupStore;
  let queue: ProofQueue;
  let now = 0;
  const clock = { ...systemClock, now: () => Date.now() + now };

  beforeAll(async () => {
    prover = await BatchProver.open({ size: 1 });
  });

  afterAll(() => prover.close());

  beforeEach(async () => {
    now = 0;
    test = await createTestDatabase('rollup-operator');
    database = await connectDatabase({ url: test.url, poolSize: 10 });
    store = openRollupStore(database);
    queue = await ProofQueue.open(database, silentLogger);
  });

  afterEach(async () => {
    await queue.close();
    await database.close();
    await test.drop();
  });

  const worker = (name: string, prove = (witness: BatchWitness) => prover.prove(witness)) =>
    new ProverWorker({
      ...{ database, store, queue, prove, name, logger: silentLogger, metrics: silentMetrics },
      readWitness: (proving) => decodeProvingInput(proving).witness,
    });
  const jobs = () => new ProofJobs({ database, store, queue, clock, logger: silentLogger });
  const states = async () => {
    const rows = await Promise.all([1, 2].map((height) => store.findBatch(height)));
    return rows.map((row) => row?.state);
  };
  const holds = async (height: number) => {
    const [row, proving] = [await store.findBatch(height), await store.readProving(height)];
    return prover.verify(decodeProvingInput(proving!).witness.publicInputs, row!.proof!);
  };

  it('gives each batch to one of the provers, and keeps proofs that hold', async () => {
    await writeAssembledBatches(store, 2);
    const [one, other] = [worker('one'), worker('other')];
    expect(await one.step()).toBe(false);
    await jobs().step();
    await jobs().step();
    expect(await Promise.all([one.step(), other.step()])).toEqual([true, true]);
    expect(await states()).toEqual(['proven', 'proven']);
    expect(await Promise.all([holds(1), holds(2)])).toEqual([true, true]);
    await jobs().step();
    expect([await one.step(), await queue.find(1), await queue.find(2)]).toEqual([
      false,
      undefined,
      undefined,
    ]);
  });

  it('gives the batch of a prover that is gone to another, and not that of one that lives', async () => {
    await writeAssembledBatches(store, 1);
    await jobs().step();
    // It was killed right after it took the job.
    expect(await queue.take()).toEqual({ height: 1 });
    await jobs().step();
    expect((await queue.find(1))?.state).toBe('active');
    now = PROVER_LEASE_MS + 1_000;
    await takeLease(database.pool, { name: provingLease(1), holder: 'alive' }, 60_000);
    await jobs().step();
    expect((await queue.find(1))?.state).toBe('active');
    await takeLease(database.pool, { name: provingLease(1), holder: 'alive' }, -1);
    await jobs().step();
    expect((await queue.find(1))?.state).toBe('retry');
    const next = worker('next');
    while (!(await next.step())) await new Promise((tick) => setTimeout(tick, 100));
    expect(await states()).toEqual(['proven', undefined]);
  });

  it('tries again what failed, says why meanwhile, and does not lose a job with the queue', async () => {
    await writeAssembledBatches(store, 1);
    await jobs().step();
    const broken = worker('broken', async () => {
      throw new Error('no memory');
    });
    await expect(broken.step()).rejects.toThrow('no memory');
    expect(broken.failure).toBe('batch 1: no memory');
    expect((await queue.find(1))?.state).toBe('retry');
    await queue.remove(1);
    await jobs().step();
    expect(await worker('whole').step()).toBe(true);
    expect(await states()).toEqual(['proven', undefined]);
  });

  it('does not take the proof of another batch', async () => {
    await writeAssembledBatches(store, 2);
    await jobs().step();
    const other = decodeProvingInput((await store.readProving(2))!).witness;
    const confused = worker('confused', () => prover.prove(other));
    await expect(confused.step()).rejects.toThrow('about other public inputs');
    expect(await states()).toEqual(['proving', 'sealed']);
  });

  it('forgets the proof of a batch that was taken back meanwhile', async () => {
    await writeAssembledBatches(store, 1);
    await jobs().step();
    const slow = worker('slow', async (witness) => {
      const made = await prover.prove(witness);
      await store.sequence((step) => step.rewind(1));
      return made;
    });
    expect(await slow.step()).toBe(true);
    expect(await states()).toEqual([undefined, undefined]);
    expect(await queue.find(1)).toBeUndefined();
  });
});
