import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { BatchProver, type BatchWitness, type Proof } from '@tetrad/rollup-circuits';
import { decodeProvingInput } from '@tetrad/rollup-sequencer';
import { openRollupStore, proverQueueStatements, takeLease, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { silentLogger, silentMetrics, systemClock } from '@tetrad/types';
import PgBoss from 'pg-boss';
import { ProofJobs, ProofQueue, ProverWorker, jobId, provingLease } from '../src/index.js';
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

  /** Proofs by the root that they lead to: batches are the same in each test, and a proof takes seconds of CPU. */
  const proofs = new Map<bigint, Promise<Proof>>();
  const proofOf = (witness: BatchWitness): Promise<Proof> => {
    const { nextStateRoot } = witness.publicInputs;
    const proof = proofs.get(nextStateRoot) ?? prover.prove(witness);
    proofs.set(nextStateRoot, proof);
    return proof;
  };

  const worker = (name: string, prove = proofOf) =>
    new ProverWorker({
      database,
      store,
      queue,
      prove,
      name,
      logger: silentLogger,
      metrics: silentMetrics,
      readWitness: (proving) => decodeProvingInput(proving).witness,
    });
  const jobs = () => new ProofJobs({ database, store, queue, clock, logger: silentLogger });
  const jobOf = (height: number) => ({ height, size: 1 });
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
    expect(await one.step(1)).toBe(false);
    await jobs().step();
    await jobs().step();
    expect(await Promise.all([one.step(1), other.step(1)])).toEqual([true, true]);
    expect(await states()).toEqual(['proven', 'proven']);
    expect(await Promise.all([holds(1), holds(2)])).toEqual([true, true]);
    await jobs().step();
    expect([await one.step(1), await queue.find(jobOf(1)), await queue.find(jobOf(2))]).toEqual([
      false,
      undefined,
      undefined,
    ]);
  });

  it('gives the batch of a prover that is gone to another, and not that of one that lives', async () => {
    await writeAssembledBatches(store, 1);
    await jobs().step();
    // It was killed right after it took the job.
    expect(await queue.take(1)).toEqual({ height: 1, size: 1 });
    await jobs().step();
    expect((await queue.find(jobOf(1)))?.state).toBe('active');
    now = PROVER_LEASE_MS + 1_000;
    await takeLease(database.pool, { name: provingLease(1), holder: 'alive' }, 60_000);
    await jobs().step();
    expect((await queue.find(jobOf(1)))?.state).toBe('active');
    await takeLease(database.pool, { name: provingLease(1), holder: 'alive' }, -1);
    await jobs().step();
    expect((await queue.find(jobOf(1)))?.state).toBe('retry');
    const next = worker('next');
    while (!(await next.step(1))) await new Promise((tick) => setTimeout(tick, 100));
    expect(await states()).toEqual(['proven', undefined]);
  });

  it('tries again what failed, says why meanwhile, and does not lose a job with the queue', async () => {
    await writeAssembledBatches(store, 1);
    await jobs().step();
    const broken = worker('broken', async () => {
      throw new Error('no memory');
    });
    await expect(broken.step(1)).rejects.toThrow('no memory');
    expect(broken.failure).toBe('batch 1: no memory');
    expect((await queue.find(jobOf(1)))?.state).toBe('retry');
    await queue.remove(jobOf(1));
    await jobs().step();
    expect(await worker('whole').step(1)).toBe(true);
    expect(await states()).toEqual(['proven', undefined]);
  });

  it('proves a small batch while a large one before it is being proved', async () => {
    await writeAssembledBatches(store, 2, [2, 1]);
    await jobs().step();
    let release: (error: Error) => void = () => undefined;
    const mixed = worker('mixed', (witness) =>
      witness.operations.length === 1 ? proofOf(witness) : new Promise((_, reject) => (release = reject)),
    );
    const large = mixed.step(2).catch((error: Error) => error.message);
    await until(async () => (await states())[0] === 'proving');
    expect(await mixed.step(1)).toBe(true);
    expect([await states(), await holds(2)]).toEqual([['proving', 'proven'], true]);
    expect(await mixed.step(1)).toBe(false);
    release(new Error('ended'));
    expect(await large).toBe('ended');
    expect(mixed.failure).toBe('batch 1: ended');
  });

  it('does not give a prover a batch of a size that it does not prove, or one that has another size now', async () => {
    await writeAssembledBatches(store, 1, [2]);
    await jobs().step();
    const small = worker('small');
    expect(await small.step(1)).toBe(false);
    expect((await queue.find({ height: 1, size: 2 }))?.state).toBe('created');
    await store.sequence((step) => step.rewind(1));
    await writeAssembledBatches(store, 1, [1]);
    await jobs().step();
    expect(await small.step(2)).toBe(true);
    expect(await states()).toEqual(['sealed', undefined]);
    expect([await queue.find({ height: 1, size: 2 }), (await queue.find(jobOf(1)))?.state]).toEqual([
      undefined,
      'created',
    ]);
    expect(await small.step(1)).toBe(true);
    expect(await states()).toEqual(['proven', undefined]);
  });

  it('takes over the jobs of a batcher of the version before, and leaves those that a prover has', async () => {
    await writeAssembledBatches(store, 2);
    const earlier = new PgBoss({
      db: proverQueueStatements(database.pool),
      schema: 'prover_queue',
      supervise: false,
      schedule: false,
    });
    await earlier.start();
    for (const height of [1, 2])
      await earlier.send('prove', { height }, { id: jobId(height), priority: -height });
    // Of the version before, too: it looks into the one queue alone.
    expect((await earlier.fetch('prove')).map(({ data }) => data)).toEqual([{ height: 1 }]);
    await jobs().step();
    const jobsOf = async (height: number) =>
      Promise.all([undefined, 1].map(async (size) => (await queue.find({ height, size }))?.state));
    expect([await jobsOf(1), await jobsOf(2)]).toEqual([
      ['active', undefined],
      [undefined, 'created'],
    ]);
    await queue.giveBack({ height: 1, size: undefined }, 'ended');
    await earlier.stop({ graceful: false, close: false, wait: false });
    const present = worker('present');
    expect(await present.step(1)).toBe(true);
    expect(await states()).toEqual(['sealed', 'proven']);
    // Where the batcher is of the version before, its jobs are taken as they are.
    await until(() => present.step(1));
    expect([await states(), await jobsOf(1)]).toEqual([
      ['proven', 'proven'],
      [undefined, undefined],
    ]);
  });

  it('leaves jobs to provers of the version before while there are no others', async () => {
    await writeAssembledBatches(store, 1);
    let isAnyAlive = false;
    const provers = { isAnyAlive: () => Promise.resolve(isAnyAlive) };
    const following = new ProofJobs({ database, store, queue, provers, clock, logger: silentLogger });
    const places = async () =>
      Promise.all([undefined, 1].map(async (size) => (await queue.find({ height: 1, size }))?.state));
    await following.step();
    await following.step();
    expect(await places()).toEqual(['created', undefined]);
    isAnyAlive = true;
    await following.step();
    expect(await places()).toEqual([undefined, 'created']);
  });

  it('does not take the proof of another batch', async () => {
    await writeAssembledBatches(store, 2);
    await jobs().step();
    const other = decodeProvingInput((await store.readProving(2))!).witness;
    const confused = worker('confused', () => proofOf(other));
    await expect(confused.step(1)).rejects.toThrow('about other public inputs');
    expect(await states()).toEqual(['proving', 'sealed']);
  });

  it('forgets the proof of a batch that was taken back meanwhile', async () => {
    await writeAssembledBatches(store, 1);
    await jobs().step();
    const slow = worker('slow', async (witness) => {
      const made = await proofOf(witness);
      await store.sequence((step) => step.rewind(1));
      return made;
    });
    expect(await slow.step(1)).toBe(true);
    expect(await states()).toEqual([undefined, undefined]);
    expect(await queue.find(jobOf(1))).toBeUndefined();
  });
});
