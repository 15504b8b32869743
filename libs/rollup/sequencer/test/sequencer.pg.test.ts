import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { publicInputWords } from '@tetrad/rollup-circuits';
import { multiplyGenerator, operationHash } from '@tetrad/rollup-crypto';
import {
  ACCOUNT_TREE_DEPTH,
  accountHash,
  applyBatch,
  pathPositions,
  rootOfPath,
  emptyRoot,
  type Batch,
  type InboundTransfer,
  type RollupOperation,
} from '@tetrad/rollup-state';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, seededRandom, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';
import { RandomRollup } from '../../state/src/testing/random-rollup.js';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { Sequencer, decodeProvingInput } from '../src/index.js';

const DOMAIN = 31337n;
const OPERATOR_KEY = multiplyGenerator(23n);

let testDatabase: TestDatabase;
let database: Database;
let store: RollupStore;
beforeAll(async () => {
  testDatabase = await createTestDatabase('rollup-operator');
  database = await connectDatabase({ url: testDatabase.url });
  store = openRollupStore(database);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  await database.pool.query(
    `TRUNCATE operation, account, account_version, money_order, batch, tree_node, deposit, chain_block, token;
     UPDATE sequence_head SET next_account_id = 1, open_height = 1, open_index = 0, next_inbound = 0,
            assembled_height = 0, version = version + 1`,
  );
});

async function addDeposits(deposits: readonly InboundTransfer[]): Promise<void> {
  const rows = deposits.map(({ index, accountId, tokenId, amount }) => ({
    index,
    accountId,
    tokenId,
    amount,
    sender: ZERO_ADDRESS,
    blockNumber: 1,
  }));
  const block = { number: 1, hash: hashFromBytes(new Uint8Array(32).fill(1)) };
  await store.advanceChain({ tokens: [], requests: [], deposits: rows }, [block]);
}

async function accept(operation: RollupOperation): Promise<bigint> {
  if (operation.kind === 'inboundTransfer' || operation.kind === 'credit')
    throw new TypeError('only what is signed is accepted');
  const hash = operationHash(DOMAIN, operation);
  await store.accept({ hash, operation });
  return hash;
}

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
  await addDeposits(operations.filter((one) => one.kind === 'inboundTransfer'));
  await sequencer.executePending();
  for (const operation of operations) {
    if (operation.kind === 'inboundTransfer') continue;
    hashes.push(await accept(operation));
    await sequencer.executePending();
  }
  return hashes;
}

describe('the sequence in PostgreSQL', () => {
  it('agrees with the state in memory on random operations: results, public inputs and witnesses', async () => {
    const size = 8;
    // A cache of two accounts evicts most of them.
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: size, cachedAccounts: 2 });
    for (const { batch, operations } of randomBatches(7, size, 12)) {
      const hashes = await replay(sequencer, operations);
      const { height } = batch.publicInputs;
      await sequencer.sealOpenBatch();
      expect(await sequencer.assembleNext()).toBe(height);
      const results = batch.results.filter((_, place) => operations[place]?.kind !== 'inboundTransfer');
      for (const [place, hash] of hashes.entries()) {
        // The same once more is the same operation, not another that comes too late.
        if (hashes.indexOf(hash) < place) continue;
        const stored = await store.findOperation(hash);
        const result = results[place];
        expect(stored).toMatchObject({
          status: result?.status,
          ...(result?.status === 'EXECUTED' ? { batchHeight: height, batchIndex: result.index } : {}),
          ...(result?.status === 'REJECTED' ? { rejectionReason: result.reason } : {}),
        });
      }
      const proving = decodeProvingInput((await store.readProving(height)) as Uint8Array);
      expect(proving.witness).toEqual(batch.witness);
      expect(publicInputWords(proving.witness.publicInputs)).toEqual(publicInputWords(batch.publicInputs));
      expect((await store.findBatch(height))?.roots?.state).toBe(batch.publicInputs.nextStateRoot);
    }
  });

  it('fills batches with operations of whatever kind: none is closed because another kind follows', async () => {
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: 8 });
    const kinds: Set<string>[] = [];
    const filled: boolean[] = [];
    for (const { batch, operations } of randomBatches(7, 8, 12)) {
      const { height } = batch.publicInputs;
      await replay(sequencer, operations);
      const executed = batch.results.filter(({ status }) => status === 'EXECUTED').length;
      const row = await store.findBatch(height);
      // Only the last place closes it.
      expect([row?.operations, row?.state]).toEqual([executed, executed === 8 ? 'sealed' : 'open']);
      filled.push(executed === 8);
      await sequencer.sealOpenBatch();
      await sequencer.assembleNext();
      const { witness } = decodeProvingInput((await store.readProving(height)) as Uint8Array);
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
    const sequencer = new Sequencer(store, options);
    const [first] = randomBatches(5, 40, 1);
    const operations = (first?.operations ?? []).filter(({ kind }) => kind === 'createAccount');
    const creations = [...operations];
    const accepted = async (count: number) => {
      for (const operation of creations.splice(0, count)) await accept(operation);
    };
    const batches = async () => {
      const { openHeight } = await store.readHead();
      const heights = Array.from({ length: openHeight }, (_, index) => index + 1);
      const rows = await Promise.all(heights.map((height) => store.findBatch(height)));
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
      const { witness } = decodeProvingInput((await store.readProving(height)) as Uint8Array);
      expect(witness.operations).toHaveLength(height === 1 ? 4 : 2);
    }
  });

  it('executes again what is in an open batch that is larger than batches are now', async () => {
    const [first] = randomBatches(5, 40, 1);
    const creations = (first?.operations ?? []).filter(({ kind }) => kind === 'createAccount');
    for (const operation of creations.slice(0, 5)) await accept(operation);
    await new Sequencer(store, { domain: DOMAIN, batchSize: 8 }).executePending();
    expect(await store.readHead()).toMatchObject({ openHeight: 1, openIndex: 5 });
    const smaller = new Sequencer(store, { domain: DOMAIN, batchSize: 2 });
    expect((await smaller.executePending()).executed).toBe(5);
    expect(await store.readHead()).toMatchObject({ openHeight: 3, openIndex: 1, nextAccountId: 6 });
    expect(await store.findBatch(1)).toMatchObject({ state: 'sealed', operations: 2, size: 2 });
  });

  it('shows what waits: pending operations, then the batch that took them', async () => {
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: 4 });
    const nothing = {
      pendingOperations: 0,
      pendingAccounts: 0,
      oldestOperationSeconds: 0,
      oldestBatchSeconds: new Map(),
    };
    expect(await store.readBacklog()).toEqual(nothing);
    const [first] = randomBatches(5, 4, 1);
    const operations = (first?.operations ?? []).filter(({ kind }) => kind !== 'inboundTransfer');
    const hashes = new Set<bigint>();
    for (const operation of operations) hashes.add(await accept(operation));
    await database.pool.query("UPDATE operation SET accepted_at = accepted_at - interval '1 hour'");
    const waiting = await store.readBacklog();
    expect(waiting.pendingOperations).toBe(hashes.size);
    expect(waiting.oldestOperationSeconds).toBeGreaterThanOrEqual(3_600);
    await sequencer.executePending();
    await sequencer.sealOpenBatch();
    await database.pool.query("UPDATE batch SET opened_at = opened_at - interval '2 hours'");
    const { oldestBatchSeconds, oldestOperationSeconds } = await store.readBacklog();
    expect(oldestOperationSeconds).toBe(0);
    expect([...oldestBatchSeconds.keys()]).toContain('sealed');
    expect(oldestBatchSeconds.get('sealed')).toBeGreaterThanOrEqual(7_200);
  });

  it('gives every account at every height with the path to the root of that height', async () => {
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: 4 });
    for (const { operations } of randomBatches(11, 4, 8)) {
      await replay(sequencer, operations);
      await sequencer.sealOpenBatch();
      await sequencer.assembleNext();
    }
    const { assembledHeight } = await store.readHead();
    for (let height = 1; height <= assembledHeight; height += 1) {
      const account = await store.findAccount(1, height);
      if (account === undefined) continue;
      const positions = pathPositions(ACCOUNT_TREE_DEPTH, 1);
      const nodes = await store.treeNodes('account', positions, height);
      const path = positions.map(({ level, index }) => nodes.get(`${level}/${index}`) ?? emptyRoot(level));
      expect(rootOfPath(accountHash(account), 1, path)).toBe((await store.findBatch(height))?.roots?.account);
    }
  });

  it('comes to the same batch again after it is taken back, and from the first one to all that was signed', async () => {
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: 4 });
    const finish = async () => {
      while ((await sequencer.executePending()).executed > 0);
      await sequencer.sealOpenBatch();
      while ((await sequencer.assembleNext()) !== undefined);
      return store.readHead();
    };
    for (const { operations } of randomBatches(3, 4, 6)) {
      await replay(sequencer, operations);
      await sequencer.sealOpenBatch();
    }
    const head = await finish();
    const last = await store.findBatch(head.assembledHeight);
    await store.sequence((step) => step.rewind(head.assembledHeight));
    expect(await store.findBatch(head.assembledHeight)).toBeUndefined();
    expect({ ...(await finish()), version: 0 }).toEqual({ ...head, version: 0 });
    expect((await store.findBatch(head.assembledHeight))?.roots).toEqual(last?.roots);

    await store.sequence((step) => step.rewind(1));
    const rewound = { openHeight: 1, openIndex: 0, nextInbound: 0, nextAccountId: 1, assembledHeight: 0 };
    expect(await store.readHead()).toMatchObject(rewound);
    const { rowCount } = await database.pool.query("SELECT FROM operation WHERE status = 'EXECUTED'");
    expect([rowCount, await store.findAccount(1)]).toEqual([0, undefined]);
    const { nextInbound, nextAccountId } = head;
    expect(await finish()).toMatchObject({ nextInbound, nextAccountId });
    await store.changeBatch({ height: 1, from: 'sealed' }, { state: 'final' });
    await expect(store.sequence((step) => step.rewind(1))).rejects.toThrow(
      'batch 1 cannot be taken back: it is final',
    );
  });
});

describe('the order of nonces', () => {
  const user = (id: number, seed: number) => {
    const random = seededRandom(seed);
    return new RollupUser(id, OPERATOR_KEY, DOMAIN, () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n);
  };

  async function fundedUser(sequencer: Sequencer): Promise<RollupUser> {
    const one = user(1, 1);
    await accept(one.create());
    await addDeposits([{ kind: 'inboundTransfer', index: 0, accountId: 1, tokenId: 0, amount: 100n }]);
    // A deposit may take all three places of a step, since it may be credited.
    for (let step = 0; step < 2; step += 1) await sequencer.executePending();
    await sequencer.sealOpenBatch();
    const order = await store.listReceivedOrders({
      toAccountId: 1,
      fromTotalIndex: 0,
      upToHeight: 9,
      limit: 1,
    });
    const [first] = order;
    if (first === undefined) throw new Error('no order');
    await accept(one.redeem(first.order, first.totalIndex, 1));
    await sequencer.executePending();
    return one;
  }

  const ADDRESS = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';

  it('makes operations wait for those before them, and replaces one by a later with the same nonce', async () => {
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: 2 });
    const one = await fundedUser(sequencer);
    const fourth = await accept(one.transferOut(ADDRESS, 0, 4n, 4));
    const third = await accept(one.transferOut(ADDRESS, 0, 3n, 3));
    await sequencer.executePending();
    const status = async (hash: bigint) => {
      const found = await store.findOperation(hash);
      return found?.rejectionReason ?? found?.status;
    };
    expect([await status(fourth), await status(third)]).toEqual(['PENDING', 'PENDING']);
    const other = await accept(one.transferOut(ADDRESS, 0, 33n, 3));
    const second = await accept(one.transferOut(ADDRESS, 0, 2n, 2));
    while ((await sequencer.executePending()).executed > 0);
    expect([await status(third), await status(other)]).toEqual([
      'REPLACED_BY_OPERATION_WITH_SAME_NONCE',
      'EXECUTED',
    ]);
    expect([await status(second), await status(fourth)]).toEqual(['EXECUTED', 'EXECUTED']);
    const late = await accept(one.transferOut(ADDRESS, 0, 5n, 4));
    await sequencer.executePending();
    expect([await status(late), (await store.findAccount(1))?.balances.get(0)]).toEqual([
      'NONCE_TOO_LOW',
      61n,
    ]);
  });

  it('tries one that was rejected again when it comes again', async () => {
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: 2 });
    const one = await fundedUser(sequencer);
    const tooMuch = one.transferOut(ADDRESS, 0, 101n, 2);
    const hash = await accept(tooMuch);
    await sequencer.executePending();
    expect(await store.findOperation(hash)).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'BALANCE_TOO_LOW',
    });
    // Put by hand, where otherwise a redemption would use the nonce up.
    await database.pool.query(`UPDATE account_version SET balances = '{"0": "101"}'`);
    await database.pool.query('UPDATE sequence_head SET version = version + 1');
    await accept(tooMuch);
    await sequencer.executePending();
    expect(await store.findOperation(hash)).toMatchObject({ status: 'EXECUTED', rejectionReason: undefined });
  });

  it('gives each operation one place, however many sequencers there are', async () => {
    const sequencers = [1, 2, 3].map(
      () => new Sequencer(store, { domain: DOMAIN, batchSize: 2, stepSize: 3 }),
    );
    const one = await fundedUser(sequencers[0] as Sequencer);
    const hashes: bigint[] = [];
    for (let nonce = 2; nonce <= 25; nonce += 1)
      hashes.push(await accept(one.transferOut(ADDRESS, 0, 1n, nonce)));
    const run = async (sequencer: Sequencer) => {
      for (let turn = 0; turn < 12; turn += 1) {
        await sequencer.executePending();
        await sequencer.assembleNext();
        if (turn % 4 === 3) await sequencer.sealOpenBatch();
      }
    };
    await Promise.all(sequencers.map(run));
    const stored = await Promise.all(hashes.map((hash) => store.findOperation(hash)));
    expect(stored.map((found) => found?.status)).toEqual(hashes.map(() => 'EXECUTED'));
    expect((await store.findAccount(1))?.balances.get(0)).toBe(76n);
    const { openHeight } = await store.readHead();
    const { rows } = await database.pool.query<{ height: number }>(
      'SELECT height FROM batch ORDER BY height',
    );
    const heights = rows.map(({ height }) => height).filter((height) => height < openHeight);
    expect(heights).toEqual(Array.from({ length: openHeight - 1 }, (_, place) => place + 1));
  });
});
