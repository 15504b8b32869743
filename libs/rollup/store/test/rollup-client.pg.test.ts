import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseUnavailableError, connectDatabase, withDatabaseName, type Database } from '@tetrad/db';
import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';
import { RollupStoreError, openRollupStore, type RollupStore } from '../src/index.js';

const NAME = 'SELECT current_database() AS name';
const END_ALL = 'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1';
const [HASH, OTHER] = [1, 2].map((byte) => hashFromBytes(new Uint8Array(32).fill(byte))) as [Hash, Hash];
type Hash = ReturnType<typeof hashFromBytes>;

/** All but the date. */
const TIMERS = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

const SUBMISSION = {
  transactionHash: HASH,
  batchHeight: 1,
  stateRoot: 2n ** 250n + 1n,
  sender: ZERO_ADDRESS,
  nonce: 7,
  maxFee: 2n ** 200n + 1n,
  maxPriorityFee: 1n,
  raw: new Uint8Array([1, 2, 3]),
};

const BATCH = { height: 1, state: 'sealed', operations: 1, size: 2, inboundFrom: 3, inboundTo: 4 } as const;
const NOTHING = {
  executed: [],
  rejected: [],
  waiting: [],
  deposits: [],
  created: [],
  versions: [],
  opaque: [],
  orders: [],
  redeemed: [],
  credits: [],
};

let test: TestDatabase;
let database: Database;
let store: RollupStore;
beforeAll(async () => {
  test = await createTestDatabase('rollup-operator');
  database = await connectDatabase({ url: test.url, poolSize: 3 });
  store = openRollupStore(database);
});
afterAll(async () => {
  await store?.close();
  await database?.close();
  await test?.drop();
});
beforeEach(async () => {
  await database.pool.query(
    'TRUNCATE rollup, batch, submission; UPDATE sequence_head SET open_height = 1, assembled_height = 0, next_inbound = 9',
  );
});

const seal = () =>
  store.sequence((step) => step.execute({ ...NOTHING, batches: [BATCH] }, { ...step.head, openHeight: 2 }));
const assemble = () =>
  store.sequence((step) =>
    step.assemble({
      roots: { previousState: 1n, state: 2n, account: 3n, orders: 4n },
      proving: new Uint8Array([5]),
      accountNodes: [],
      historyNodes: [],
    }),
  );

describe('a submission', () => {
  it('keeps numbers of any size, and what was stored first', async () => {
    await store.addSubmission(SUBMISSION);
    await store.addSubmission({ ...SUBMISSION, nonce: 8 });
    const [stored, ...others] = await store.listSubmissions(1);
    expect(others).toEqual([]);
    expect(stored).toMatchObject({ ...SUBMISSION, state: 'sent', failure: undefined });
    await store.changeSubmission(HASH, { state: 'dropped', failure: 'NonceUsed' });
    expect(await store.listSubmissions(1)).toMatchObject([{ state: 'dropped', failure: 'NonceUsed' }]);
    await store.changeSubmission(HASH, { state: 'included' });
    expect(await store.listSubmissions(1)).toMatchObject([{ state: 'included', failure: undefined }]);
  });

  it('may be of an earlier version, which stores no root', async () => {
    await store.addSubmission({ ...SUBMISSION, stateRoot: undefined });
    expect((await store.listSubmissions(1)).map(({ stateRoot }) => stateRoot)).toEqual([undefined]);
  });

  it('has the time of the database, whatever the clock of the process says', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: [...TIMERS] });
    await store.addSubmission(SUBMISSION).finally(() => jest.useRealTimers());
    const { rowCount } = await database.pool.query(
      "SELECT FROM submission WHERE now() - submitted_at BETWEEN interval '0' AND interval '1 hour'",
    );
    expect(rowCount).toBe(1);
  });
});

describe('a change of a batch', () => {
  it('keeps what it does not name, and deletes what it was proved with when it is final', async () => {
    await seal();
    await assemble();
    const proof = new Uint8Array([6, 7]);
    expect(await store.changeBatch({ height: 1, from: 'sealed' }, { state: 'proven', proof })).toBe(true);
    const sent = { state: 'submitted', transactionHash: HASH, failure: 'slow' } as const;
    expect(await store.changeBatch({ height: 1, from: 'proven', stateRoot: 2n }, sent)).toBe(true);
    expect(Buffer.from((await store.readProving(1))!)).toEqual(Buffer.from([5]));
    expect(await store.findBatch(1)).toMatchObject({ ...sent, proof: Buffer.from(proof), inboundTo: 4 });
    const final = { state: 'final', blockNumber: 2 ** 40, blockHash: OTHER } as const;
    expect(await store.changeBatch({ height: 1, from: 'submitted' }, final)).toBe(true);
    expect(await store.findBatch(1)).toMatchObject({ ...final, transactionHash: HASH, failure: undefined });
    expect(await store.readProving(1)).toBeUndefined();
  });

  it('changes nothing when the batch is in another state, or was built again', async () => {
    await seal();
    await assemble();
    const proven = { state: 'proven' } as const;
    expect(await store.changeBatch({ height: 1, from: 'proving' }, proven)).toBe(false);
    expect(await store.changeBatch({ height: 1, from: 'sealed', stateRoot: 9n }, proven)).toBe(false);
    expect(await store.changeBatch({ height: 2, from: 'sealed' }, proven)).toBe(false);
    expect((await store.listBatches('sealed', 5)).map(({ height }) => height)).toEqual([1]);
    expect([...(await store.countBatches())].filter(([, count]) => count > 0)).toEqual([['sealed', 1]]);
  });
});

describe('the identity', () => {
  const identity = {
    chainId: 2n ** 63n - 1n,
    contract: ZERO_ADDRESS,
    operatorKey: multiplyGenerator(3n),
    batchSize: 2,
  };

  it('is claimed once, with chain ids of 64 bits', async () => {
    expect(await store.findIdentity()).toBeUndefined();
    await expect(store.changeOperatorKey(multiplyGenerator(4n))).rejects.toThrow('of no rollup yet');
    await store.claimIdentity(identity);
    await store.claimIdentity(identity);
    expect(await store.findIdentity()).toEqual(identity);
    const other = store.claimIdentity({ ...identity, chainId: 2n ** 63n - 2n });
    await expect(other).rejects.toBeInstanceOf(RollupStoreError);
    await store.changeOperatorKey(multiplyGenerator(4n));
    await expect(store.claimIdentity(identity)).rejects.toThrow('its operator key is another one');
    await store.claimIdentity(identity, [multiplyGenerator(4n)]);
  });

  it('says how holders leave the contract, once a batcher has read it', async () => {
    await store.claimIdentity(identity);
    expect(await store.findExitRules()).toBeUndefined();
    await store.changeExitRules('freeze');
    expect(await store.findExitRules()).toBe('freeze');
    expect(await store.findIdentity()).toEqual(identity);
  });
});

describe('a step of the sequence', () => {
  it('stores nothing of its statements and calls when it fails, and gives its connection back', async () => {
    await seal();
    const failure = new Error('after both');
    for (let turn = 0; turn < 5; turn++) {
      const attempt = store.sequence(async (step) => {
        await step.rewind(1);
        await step.execute({ ...NOTHING, batches: [{ ...BATCH, height: 2 }] }, step.head);
        throw failure;
      });
      await expect(attempt).rejects.toBe(failure);
    }
    expect((await store.listBatches('sealed', 5)).map(({ height }) => height)).toEqual([1]);
    expect(await store.readHead()).toMatchObject({ openHeight: 2, nextInbound: 9 });
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });

  it('takes back batches, and gives their deposits back', async () => {
    await seal();
    await store.sequence((step) => step.rewind(1));
    expect(await store.findBatch(1)).toBeUndefined();
    expect(await store.readHead()).toMatchObject({ openHeight: 1, nextInbound: 3, assembledHeight: 0 });
  });
});

describe('without its database, the store', () => {
  it('fails calls of the client, alone and in transactions, as unavailable', async () => {
    const [{ name } = { name: '' }] = (await database.pool.query<{ name: string }>(NAME)).rows;
    const server = await connectDatabase({ url: withDatabaseName(test.url, 'postgres') });
    await server.pool.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await server.pool.query(END_ALL, [name]);
    const calls: readonly (() => Promise<unknown>)[] = [
      () => store.readProving(1),
      () => store.sequence((step) => step.rewind(1)),
      () => store.rewindChain(1),
      () => store.addSubmission(SUBMISSION),
      () => store.releaseLease({ name: 'work', holder: 'one' }),
      () => store.findExitRules(),
      () => store.listOperations({ kind: 'outboundTransfer', fromNonce: 1, limit: 1 }),
      () => store.listReceivedOrders({ toAccountId: 1, fromTotalIndex: 0, upToHeight: 1, limit: 1 }),
      () => store.listUnmeasured(1),
      () => store.listRequestedTokens(),
      () => store.measureRequest({ blockNumber: 1, logIndex: 1 }, { since: 1, progress: 1n }),
      () => store.sequence((step) => step.failRequest({ blockNumber: 1, logIndex: 1 }, 'ACCOUNT_CHANGED')),
    ];
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await server.pool.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
    await server.close();
    expect(await store.listSubmissions(1)).toEqual([]);
  });
});
