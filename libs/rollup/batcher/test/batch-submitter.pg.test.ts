import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { RollupReader } from '@tetrad/rollup-chain';
import { openRollupStore, takeLease, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, developmentAccounts, type TestDatabase } from '@tetrad/testkit';
import { silentLogger, systemClock } from '@tetrad/types';
import { BATCHER_LEASE, BatchSubmitter, OperatorAccount, submittingKeyOf } from '../src/index.js';
import { writeAssembledBatches } from './assembled-batches.js';
import { ScriptedChain } from './scripted-chain.js';

const CLAIM = { name: BATCHER_LEASE, holder: 'this one' };
const LEASE_MS = 600_000;
const RETRY_MS = 1_000;
const FINAL = { state: 'final', blockNumber: 8 } as const;
const [operator] = developmentAccounts(1, 'rollup operator');

describe('the submission of a batch', () => {
  let test: TestDatabase;
  let database: Database;
  let store: RollupStore;
  let chain: ScriptedChain;
  let submitter: BatchSubmitter;
  let late = 0;

  beforeEach(async () => {
    test = await createTestDatabase('rollup-operator');
    database = await connectDatabase({ url: test.url, poolSize: 10 });
    store = openRollupStore(database);
    chain = new ScriptedChain();
    late = 0;
    const { client, codec, contract } = chain;
    submitter = new BatchSubmitter({
      database,
      store,
      client,
      codec,
      reader: new RollupReader(client, codec, contract),
      account: new OperatorAccount(submittingKeyOf(operator!.privateKey)),
      chainId: 31337n,
      claim: CLAIM,
      bounds: { bumpAfterMs: 60_000, maxFeeLimit: 10_000n, retryMs: RETRY_MS, longestRetryMs: RETRY_MS },
      clock: { ...systemClock, now: () => Date.now() + late },
      logger: silentLogger,
    });
    await takeLease(database.pool, CLAIM, LEASE_MS);
    await prove(2);
  });

  afterEach(async () => {
    await store.close();
    await database.close();
    await test.drop();
  });

  /** Assembles batches, which all have proofs; the contract has the state before the first. */
  async function prove(count: number, seed?: number): Promise<void> {
    await writeAssembledBatches(store, count, [], seed);
    for (let height = 1; height <= count; height += 1)
      await store.changeBatch({ height, from: 'sealed' }, { state: 'proven', proof: new Uint8Array(64) });
    chain.stateRoot = (await store.findBatch(1))!.roots!.previousState;
  }

  const batch = (height: number) => store.findBatch(height);
  const sent = (height: number) => store.listSubmissions(height);

  it('leaves a batch final that the chain has taken while the contract was asked about it', async () => {
    chain.verdict = async () => {
      await store.changeBatch({ height: 1, from: 'proven' }, FINAL);
      return 'InvalidProof';
    };
    expect(await submitter.step()).toBe('send');
    expect(await batch(1)).toMatchObject({ ...FINAL, failure: undefined });
    expect(submitter.failure).toBeUndefined();
    expect((await store.countBatches()).get('sealed')).toBe(0);
  });

  it('leaves a batch alone that was taken back and made anew meanwhile', async () => {
    chain.verdict = async () => {
      await store.sequence((step) => step.rewind(1));
      await prove(1, 12);
      return 'InvalidProof';
    };
    expect(await submitter.step()).toBe('send');
    expect(await batch(1)).toMatchObject({ state: 'proven', failure: undefined });
  });

  it('changes nothing once another process has the lease', async () => {
    chain.verdict = async () => {
      await store.releaseLease(CLAIM);
      await takeLease(database.pool, { ...CLAIM, holder: 'another' }, LEASE_MS);
      return 'InvalidProof';
    };
    expect(await submitter.step()).toBe('send');
    expect(await batch(1)).toMatchObject({ state: 'proven', failure: undefined });
  });

  it('has a batch proved again whose proof the contract refuses, on the state that was looked at', async () => {
    chain.verdict = async (state) => (state === 'latest' ? undefined : 'InvalidProof');
    const { head } = chain;
    expect(await submitter.step()).toBe('send');
    expect(await batch(1)).toMatchObject({ state: 'sealed', failure: 'InvalidProof' });
    expect(chain.tried).toEqual([head]);
    expect(submitter.failure).toBe('batch 1: InvalidProof');
  });

  it('keeps the proof of a batch that was reverted as it was behind another one', async () => {
    expect(await submitter.step()).toBe('send');
    expect(await submitter.step()).toBe('send');
    const [[first], [second]] = await Promise.all([sent(1), sent(2)]);
    // Both are in one block; the second did nothing there, and the first is on the chain.
    chain.pool.clear();
    chain.receipts.set(first!.transactionHash, { block: 8, status: 1 });
    chain.receipts.set(second!.transactionHash, { block: 8, status: 0 });
    const { state: stateRoot } = (await batch(1))!.roots!;
    Object.assign(chain, { block: 8, height: 1, nonce: 2, stateRoot });
    const { blockHash } = chain.head;
    chain.verdict = async (state) =>
      (state as Partial<typeof chain.head>).blockHash === blockHash ? undefined : 'InvalidProof';
    expect(await submitter.step()).toBe('reverted');
    expect(await batch(2)).toMatchObject({ state: 'submitted', failure: 'Reverted' });
    late = RETRY_MS;
    expect(await submitter.step()).toBe('send');
    expect((await sent(2)).map(({ state, nonce }) => [state, nonce])).toEqual([
      ['reverted', 1],
      ['sent', 2],
    ]);
  });

  it('gives the nonce of what was sent for a batch that was taken back to the one that is made anew', async () => {
    expect(await submitter.step()).toBe('send');
    const [former] = await sent(1);
    await store.sequence((step) => step.rewind(1));
    await prove(1, 12);
    const { roots } = (await batch(1))!;
    expect(roots!.state).not.toBe(former!.stateRoot);
    // The client has lost it, which had it sent again.
    chain.pool.clear();
    expect(await submitter.step()).toBe('send');
    const [, again] = await sent(1);
    expect(again).toMatchObject({ nonce: former!.nonce, stateRoot: roots!.state });
    expect([...chain.pool]).toEqual([again!.transactionHash]);
  });

  it('says that the chain asks more than may be paid, and goes on when it does not any more', async () => {
    chain.baseFee = 10_001n;
    expect(await submitter.step()).toBe('wait');
    expect(submitter.failure).toBe(
      'batch 1: the base fee of 10001 wei is above the maximum gas price of 10000 wei',
    );
    expect(await sent(1)).toEqual([]);
    Object.assign(chain, { baseFee: 7n, gasPrice: 10n ** 15n });
    expect(await submitter.step()).toBe('send');
    expect(submitter.failure).toBeUndefined();
    expect(await sent(1)).toMatchObject([{ maxFee: 10_000n, maxPriorityFee: 10_000n }]);
    expect(await submitter.step()).toBe('send');
    expect(await sent(2)).toMatchObject([{ maxFee: 10_000n, maxPriorityFee: 10_000n }]);
  });
});
