import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { publicInputWords } from '@tetrad/rollup-circuits';
import {
  ACCOUNT_TREE_DEPTH,
  accountHash,
  applyBatch,
  emptyRoot,
  pathPositions,
  rootOfPath,
  type Batch,
  type RollupOperation,
} from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import { RandomRollup } from '../../state/src/testing/random-rollup.js';
import { Sequencer, decodeProvingInput } from '../src/index.js';
import { DOMAIN, TestSequence } from './test-sequence.js';

let sequence: TestSequence;
beforeAll(async () => {
  sequence = await TestSequence.open();
});
afterAll(() => sequence.close());
beforeEach(() => sequence.empty());

/** Batches of random operations built by a state in memory, each with its deposits first. */
function randomBatches(
  seed: number,
  size: number,
  count: number,
): { batch: Batch; operations: RollupOperation[] }[] {
  const rollup = new RandomRollup(seededRandom(seed), size);
  return Array.from({ length: count }, () => {
    let taken: RollupOperation[] = [];
    const batch = rollup.stepWith((view, plan, operations) => {
      // In place, because the rollup looks up results by their places in it.
      taken = operations as RollupOperation[];
      taken.sort((one, other) => rank(one) - rank(other));
      return applyBatch(view, plan, taken);
    });
    return { batch, operations: taken };
  });
}

const rank = ({ kind }: RollupOperation) => (kind === 'inboundTransfer' ? 0 : 1);

/**
 * Executes what the state in memory executed.
 * @returns hash → what became of it
 */
async function replay(sequencer: Sequencer, operations: readonly RollupOperation[]): Promise<bigint[]> {
  const hashes: bigint[] = [];
  await sequence.addDeposits(operations.filter((one) => one.kind === 'inboundTransfer'));
  await sequencer.executePending();
  for (const operation of operations) {
    if (operation.kind === 'inboundTransfer') continue;
    hashes.push(await sequence.accept(operation));
    await sequencer.executePending();
  }
  return hashes;
}

describe('the sequence in PostgreSQL', () => {
  it('agrees with the state in memory on random operations: results, public inputs and witnesses', async () => {
    const size = 8;
    // A cache of two accounts evicts most of them.
    const sequencer = new Sequencer(sequence.store, { domain: DOMAIN, batchSize: size, cachedAccounts: 2 });
    for (const { batch, operations } of randomBatches(7, size, 12)) {
      const hashes = await replay(sequencer, operations);
      const { height } = batch.publicInputs;
      await sequencer.sealOpenBatch();
      expect(await sequencer.assembleNext()).toBe(height);
      const results = batch.results.filter((_, place) => operations[place]?.kind !== 'inboundTransfer');
      for (const [place, hash] of hashes.entries()) {
        // The same once more is the same operation, not another that comes too late.
        if (hashes.indexOf(hash) < place) continue;
        const stored = await sequence.store.findOperation(hash);
        const result = results[place];
        expect(stored).toMatchObject({
          status: result?.status,
          ...(result?.status === 'EXECUTED' ? { batchHeight: height, batchIndex: result.index } : {}),
          ...(result?.status === 'REJECTED' ? { rejectionReason: result.reason } : {}),
        });
      }
      const proving = decodeProvingInput((await sequence.store.readProving(height)) as Uint8Array);
      expect(proving.witness).toEqual(batch.witness);
      expect(publicInputWords(proving.witness.publicInputs)).toEqual(publicInputWords(batch.publicInputs));
      expect((await sequence.store.findBatch(height))?.roots?.state).toBe(batch.publicInputs.nextStateRoot);
    }
  });

  it('fills batches with operations of whatever kind: none is closed because another kind follows', async () => {
    const sequencer = new Sequencer(sequence.store, { domain: DOMAIN, batchSize: 8 });
    const kinds: Set<string>[] = [];
    const filled: boolean[] = [];
    for (const { batch, operations } of randomBatches(7, 8, 12)) {
      const { height } = batch.publicInputs;
      await replay(sequencer, operations);
      const executed = batch.results.filter(({ status }) => status === 'EXECUTED').length;
      const row = await sequence.store.findBatch(height);
      // Only the last place closes it.
      expect([row?.operations, row?.state]).toEqual([executed, executed === 8 ? 'sealed' : 'open']);
      filled.push(executed === 8);
      await sequencer.sealOpenBatch();
      await sequencer.assembleNext();
      const { witness } = decodeProvingInput((await sequence.store.readProving(height)) as Uint8Array);
      kinds.push(new Set(witness.publicInputs.operations.map(({ kind }) => kind)));
    }
    expect(filled).toContain(true);
    expect(Math.max(...kinds.map(({ size }) => size))).toBeGreaterThanOrEqual(4);
    expect([...new Set(kinds.flatMap((some) => [...some]))]).toEqual(
      expect.arrayContaining([
        'createAccount',
        'createMoneyOrder',
        'inboundTransfer',
        'outboundTransfer',
        'redeemMoneyOrder',
      ]),
    );
  });

  it('gives each batch the size that what waits fills, and the largest while a prover is behind', async () => {
    const options = { domain: DOMAIN, batchSize: 8, smallerSizes: [2, 4] };
    const sequencer = new Sequencer(sequence.store, options);
    const [first] = randomBatches(5, 40, 1);
    const operations = (first?.operations ?? []).filter(({ kind }) => kind === 'createAccount');
    const creations = [...operations];
    const accepted = async (count: number) => {
      for (const operation of creations.splice(0, count)) await sequence.accept(operation);
    };
    const batches = async () => {
      const { openHeight } = await sequence.store.readHead();
      const heights = Array.from({ length: openHeight }, (_, index) => index + 1);
      const rows = await Promise.all(heights.map((height) => sequence.store.findBatch(height)));
      return rows.flatMap((row) => (row === undefined ? [] : [[row.state, row.operations, row.size]]));
    };
    expect(creations.length).toBeGreaterThanOrEqual(5);
    await accepted(3);
    await sequencer.executePending({ isProverBehind: true });
    expect(await batches()).toEqual([['open', 3, 8]]);
    await accepted(2);
    await sequencer.executePending();
    // Four places of four, and what followed does not fill eight.
    expect(await batches()).toEqual([['sealed', 4, 4], ['open', 1, 8]]); // prettier-ignore
    expect(await sequencer.sealOpenBatch()).toBe(2);
    expect(await batches()).toEqual([['sealed', 4, 4], ['sealed', 1, 2]]); // prettier-ignore
    for (const height of [1, 2]) {
      expect(await sequencer.assembleNext()).toBe(height);
      const { witness } = decodeProvingInput((await sequence.store.readProving(height)) as Uint8Array);
      expect(witness.operations).toHaveLength(height === 1 ? 4 : 2);
    }
  });

  it('executes again what is in an open batch that is larger than batches are now', async () => {
    const [first] = randomBatches(5, 40, 1);
    const creations = (first?.operations ?? []).filter(({ kind }) => kind === 'createAccount');
    for (const operation of creations.slice(0, 5)) await sequence.accept(operation);
    await new Sequencer(sequence.store, { domain: DOMAIN, batchSize: 8 }).executePending();
    expect(await sequence.store.readHead()).toMatchObject({ openHeight: 1, openIndex: 5 });
    const smaller = new Sequencer(sequence.store, { domain: DOMAIN, batchSize: 2 });
    expect((await smaller.executePending()).executed).toBe(5);
    expect(await sequence.store.readHead()).toMatchObject({ openHeight: 3, openIndex: 1, nextAccountId: 6 });
    expect(await sequence.store.findBatch(1)).toMatchObject({ state: 'sealed', operations: 2, size: 2 });
  });

  it('shows what waits: pending operations, then the batch that took them', async () => {
    const sequencer = new Sequencer(sequence.store, { domain: DOMAIN, batchSize: 4 });
    const nothing = {
      pendingOperations: 0,
      pendingAccounts: 0,
      oldestOperationSeconds: 0,
      oldestBatchSeconds: new Map(),
    };
    expect(await sequence.store.readBacklog()).toEqual(nothing);
    const [first] = randomBatches(5, 4, 1);
    const operations = (first?.operations ?? []).filter(({ kind }) => kind !== 'inboundTransfer');
    const hashes = new Set<bigint>();
    for (const operation of operations) hashes.add(await sequence.accept(operation));
    await sequence.database.pool.query("UPDATE operation SET accepted_at = accepted_at - interval '1 hour'");
    const waiting = await sequence.store.readBacklog();
    expect(waiting.pendingOperations).toBe(hashes.size);
    expect(waiting.oldestOperationSeconds).toBeGreaterThanOrEqual(3_600);
    await sequencer.executePending();
    await sequencer.sealOpenBatch();
    await sequence.database.pool.query("UPDATE batch SET opened_at = opened_at - interval '2 hours'");
    const { oldestBatchSeconds, oldestOperationSeconds } = await sequence.store.readBacklog();
    expect(oldestOperationSeconds).toBe(0);
    expect([...oldestBatchSeconds.keys()]).toContain('sealed');
    expect(oldestBatchSeconds.get('sealed')).toBeGreaterThanOrEqual(7_200);
  });

  it('gives every account at every height with the path to the root of that height', async () => {
    const sequencer = new Sequencer(sequence.store, { domain: DOMAIN, batchSize: 4 });
    for (const { operations } of randomBatches(11, 4, 8)) {
      await replay(sequencer, operations);
      await sequencer.sealOpenBatch();
      await sequencer.assembleNext();
    }
    const { assembledHeight } = await sequence.store.readHead();
    for (let height = 1; height <= assembledHeight; height += 1) {
      const account = await sequence.store.findAccount(1, height);
      if (account === undefined) continue;
      const positions = pathPositions(ACCOUNT_TREE_DEPTH, 1);
      const nodes = await sequence.store.treeNodes('account', positions, height);
      const path = positions.map(({ level, index }) => nodes.get(`${level}/${index}`) ?? emptyRoot(level));
      expect(rootOfPath(accountHash(account), 1, path)).toBe(
        (await sequence.store.findBatch(height))?.roots?.account,
      );
    }
  });

  it('comes to the same batch again after it is taken back, and from the first one to all that was signed', async () => {
    const sequencer = new Sequencer(sequence.store, { domain: DOMAIN, batchSize: 4 });
    const finish = async () => {
      while ((await sequencer.executePending()).executed > 0);
      await sequencer.sealOpenBatch();
      while ((await sequencer.assembleNext()) !== undefined);
      return sequence.store.readHead();
    };
    for (const { operations } of randomBatches(3, 4, 6)) {
      await replay(sequencer, operations);
      await sequencer.sealOpenBatch();
    }
    const head = await finish();
    const last = await sequence.store.findBatch(head.assembledHeight);
    await sequence.store.sequence((step) => step.rewind(head.assembledHeight));
    expect(await sequence.store.findBatch(head.assembledHeight)).toBeUndefined();
    expect({ ...(await finish()), version: 0 }).toEqual({ ...head, version: 0 });
    expect((await sequence.store.findBatch(head.assembledHeight))?.roots).toEqual(last?.roots);

    await sequence.store.sequence((step) => step.rewind(1));
    const rewound = { openHeight: 1, openIndex: 0, nextInbound: 0, nextAccountId: 1, assembledHeight: 0 };
    expect(await sequence.store.readHead()).toMatchObject(rewound);
    const { rowCount } = await sequence.database.pool.query(
      "SELECT FROM operation WHERE status = 'EXECUTED'",
    );
    expect([rowCount, await sequence.store.findAccount(1)]).toEqual([0, undefined]);
    const { nextInbound, nextAccountId } = head;
    expect(await finish()).toMatchObject({ nextInbound, nextAccountId });
    await sequence.store.changeBatch({ height: 1, from: 'sealed' }, { state: 'final' });
    await expect(sequence.store.sequence((step) => step.rewind(1))).rejects.toThrow(
      'batch 1 cannot be taken back: it is final',
    );
  });
});
