import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { encrypt, multiplyGenerator, sign } from '@tetrad/rollup-crypto';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { parseAddress } from '@tetrad/types';
import {
  ROLLUP_DATABASE_SETTINGS,
  openRollupStore,
  type Acceptance,
  type AcceptanceBounds,
  type AcceptedOperation,
  type RollupStore,
} from '../src/index.js';

const ADDRESS = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');
const SIGNATURE = sign(1n, 1n);
const DAY_MS = 86_400_000;
const QUOTA = { operations: 5, windowMs: DAY_MS };

let test: TestDatabase;
let database: Database;
/** Of the clock of processes. */
let now = 0;
const opened: RollupStore[] = [];
beforeAll(async () => {
  test = await createTestDatabase('rollup-operator');
  database = await connectDatabase({ url: test.url, poolSize: 4 });
});
afterAll(async () => {
  for (const store of opened) await store.close();
  await database?.close();
  await test?.drop();
});
beforeEach(() => database.pool.query('TRUNCATE operation, account, account_quota'));

/** The store of another process. */
function open(bounds: Partial<AcceptanceBounds> = {}): RollupStore {
  const store = openRollupStore(database, {
    quota: QUOTA,
    maxPending: 1_000,
    clock: { now: () => now },
    ...bounds,
  });
  opened.push(store);
  return store;
}

let hashes = 0n;
function transfer(fromAccountId: number, nonce: number): AcceptedOperation {
  const fields = { fromAccountId, toEthereumAddress: ADDRESS, tokenId: 0, amount: 1n, nonce };
  return { hash: ++hashes, operation: { kind: 'outboundTransfer', ...fields, signature: SIGNATURE } };
}

function registration(): AcceptedOperation {
  const publicKey = multiplyGenerator(1_000n + ++hashes);
  const jointKey = { user: publicKey, operator: publicKey };
  const ciphertext = encrypt([1n], jointKey, 7n);
  const fields = { publicKey, jointKey, blindingFactor: 1n, ciphertext, signature: SIGNATURE };
  return { hash: ++hashes, operation: { kind: 'createAccount', ...fields } };
}

const outcome = (acceptance: Acceptance) =>
  typeof acceptance === 'string' ? acceptance : acceptance.refused;
const accept = async (store: RollupStore, ...operations: AcceptedOperation[]) =>
  (await Promise.all(operations.map((one) => store.accept(one)))).map(outcome);
const transfers = (count: number, accountId = 1, from = 1) =>
  Array.from({ length: count }, (_, index) => transfer(accountId, from + index));
const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);
const statusOf = async (store: RollupStore, { hash }: AcceptedOperation) =>
  (await store.findOperation(hash))?.status;
const counted = async (accountId: number) => {
  const text = 'SELECT accepted FROM account_quota WHERE account_id = $1';
  return (await database.pool.query<{ accepted: number }>(text, [accountId])).rows[0]?.accepted;
};
const setStatus = (status: string, reason: string | null = null) =>
  database.pool.query('UPDATE operation SET status = $1, rejection_reason = $2', [status, reason]);

describe('the quota of an account', () => {
  it('is one for all processes, however their operations come together', async () => {
    const stores = [open(), open(), open()];
    const outcomes = await Promise.all(
      transfers(30).map(async (one, place) => outcome(await (stores[place % 3] as RollupStore).accept(one))),
    );
    expect(outcomes.filter((one) => one === 'ACCEPTED')).toHaveLength(5);
    expect(outcomes.filter((one) => one === 'QUOTA_EXCEEDED')).toHaveLength(25);
    const { rowCount } = await database.pool.query('SELECT FROM operation');
    expect([rowCount, await counted(1), await counted(0)]).toEqual([5, 5, 5]);
    expect(await accept(open(), transfer(2, 1))).toEqual(['ACCEPTED']);
  });

  it('says when its window ends, and begins anew with the next one', async () => {
    const store = open();
    await accept(store, ...transfers(5));
    const refused = await store.accept(transfer(1, 6));
    expect(refused).toMatchObject({ refused: 'QUOTA_EXCEEDED', quota: QUOTA });
    const { retryAfterMs = 0 } = refused as { readonly retryAfterMs?: number };
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(DAY_MS);
    await database.pool.query("UPDATE account_quota SET window_start = window_start - interval '1 day'");
    expect(await accept(store, ...transfers(6, 1, 6))).toEqual([...times(5, 'ACCEPTED'), 'QUOTA_EXCEEDED']);
    // The clock went back.
    await database.pool.query("UPDATE account_quota SET window_start = window_start + interval '2 days'");
    expect(await accept(store, transfer(1, 20))).toEqual(['QUOTA_EXCEEDED']);
  });

  it('counts an operation once, whatever became of it and however often it comes', async () => {
    const store = open();
    const all = transfers(5);
    await accept(store, ...all);
    expect(await accept(store, ...all, ...all)).toEqual(times(10, 'ACCEPTED'));
    await setStatus('REJECTED', 'BALANCE_TOO_LOW');
    expect(await accept(store, ...all)).toEqual(times(5, 'ACCEPTED'));
    expect(await statusOf(store, all[0] as AcceptedOperation)).toBe('PENDING');
    expect(await counted(1)).toBe(5);
  });

  it('keeps what waits when the operation that would replace it is refused', async () => {
    const store = open();
    const [first, ...others] = transfers(4);
    await accept(store, first as AcceptedOperation, ...others);
    // In one group: of two with a nonce the first one is within the quota.
    const [within, beyond] = [transfer(1, 9), transfer(1, 9)];
    expect(await accept(store, within, beyond, transfer(1, 1))).toEqual([
      'ACCEPTED',
      'QUOTA_EXCEEDED',
      'QUOTA_EXCEEDED',
    ]);
    expect([await statusOf(store, within), await statusOf(store, beyond)]).toEqual(['PENDING', undefined]);
    expect(await statusOf(store, first as AcceptedOperation)).toBe('PENDING');
  });

  it('counts what replaces another', async () => {
    const store = open();
    for (let count = 0; count < 5; count += 1) await accept(store, transfer(1, 1));
    expect(await accept(store, transfer(1, 1))).toEqual(['QUOTA_EXCEEDED']);
    const { rows } = await database.pool.query(
      'SELECT status, count(*)::int FROM operation GROUP BY 1 ORDER BY 1',
    );
    expect(rows).toEqual([{ status: 'PENDING', count: 1 }, { status: 'REJECTED', count: 4 }]); // prettier-ignore
  });

  it('is not counted for what is not stored', async () => {
    const store = open();
    await database.pool.query('ALTER TABLE operation ADD CONSTRAINT none CHECK (nonce <> 3)');
    await expect(accept(store, ...transfers(4))).rejects.toThrow('none');
    await database.pool.query('ALTER TABLE operation DROP CONSTRAINT none');
    expect(await counted(1)).toBeUndefined();
  });

  it('is none without bounds', async () => {
    const store = openRollupStore(database);
    opened.push(store);
    expect(await accept(store, ...transfers(50))).toEqual(times(50, 'ACCEPTED'));
    expect(await accept(open({ quota: undefined }), ...transfers(50, 2))).toEqual(times(50, 'ACCEPTED'));
  });
});

describe('the queue', () => {
  const bounds = { quota: undefined, maxPending: 16 };
  const pending = async () =>
    (await database.pool.query("SELECT FROM operation WHERE status = 'PENDING'")).rowCount;
  const full = (count: number) => times(count, 'QUEUE_FULL');

  it('serves an account with nothing waiting while one has filled the half', async () => {
    const store = open(bounds);
    expect(await accept(store, ...transfers(12))).toEqual([...times(8, 'ACCEPTED'), ...full(4)]);
    expect(await accept(store, ...transfers(4, 2))).toEqual(['ACCEPTED', 'ACCEPTED', ...full(2)]);
    expect(await accept(store, transfer(3, 1), transfer(3, 2))).toEqual(['ACCEPTED', 'ACCEPTED']);
    // Three quarters: one for each.
    for (const id of [4, 5, 6, 7])
      expect(await accept(store, transfer(id, 1), transfer(id, 2))).toEqual(['ACCEPTED', 'QUEUE_FULL']);
    expect(await accept(store, transfer(8, 1))).toEqual(['QUEUE_FULL']);
    expect(await pending()).toBe(16);
  });

  it('counts an account once that has come one operation after the other', async () => {
    const store = open(bounds);
    for (const one of transfers(8)) expect(await accept(store, one)).toEqual(['ACCEPTED']);
    for (const one of transfers(2, 2)) expect(await accept(store, one)).toEqual(['ACCEPTED']);
    expect(await accept(store, transfer(2, 3))).toEqual(full(1));
  });

  it('takes again what is known and what replaces another', async () => {
    const store = open(bounds);
    const [first, ...others] = transfers(8);
    await accept(store, first as AcceptedOperation, ...others);
    expect(await accept(store, transfer(1, 9), first as AcceptedOperation, transfer(1, 8))).toEqual([
      'QUEUE_FULL',
      'ACCEPTED',
      'ACCEPTED',
    ]);
    expect(await pending()).toBe(8);
  });

  it('has no places for what waits for a nonce before it', async () => {
    const store = open(bounds);
    await accept(store, ...transfers(8));
    await database.pool.query('UPDATE operation SET waiting = true');
    now += 1_000;
    expect(await accept(store, ...transfers(8, 2))).toEqual(times(8, 'ACCEPTED'));
  });

  it('is known to every process within a second, and when it has room again', async () => {
    const [one, other] = [open(bounds), open(bounds)];
    await accept(other, transfer(9, 1));
    await accept(one, ...transfers(8));
    now += 1_000;
    // Two accounts wait: a share is two.
    expect(await accept(other, ...transfers(3, 9, 2))).toEqual(['ACCEPTED', ...full(2)]);
    await setStatus('REJECTED', 'BALANCE_TOO_LOW');
    expect(await accept(other, transfer(1, 20))).toEqual(['ACCEPTED']);
    now += 1_000;
    expect(await accept(other, ...transfers(7, 1, 21))).toEqual(times(7, 'ACCEPTED'));
  });

  it('has a quarter as many places for registrations, whatever operations wait', async () => {
    const store = open(bounds);
    expect(await accept(store, ...Array.from({ length: 6 }, registration))).toEqual([
      ...times(4, 'ACCEPTED'),
      ...full(2),
    ]);
    expect(await accept(store, ...transfers(8))).toEqual(times(8, 'ACCEPTED'));
    const { rowCount } = await database.pool.query('SELECT FROM account');
    expect(rowCount).toBe(4);
  });
});

describe('statements of an acceptance', () => {
  it('read no whole table, though they were planned while it was nearly empty', async () => {
    const rowsRead = async () => {
      const { rows } = await database.pool.query<{ count: string }>(
        `SELECT coalesce(seq_tup_read, 0)::text AS count FROM pg_stat_user_tables WHERE relname = 'operation'`,
      );
      return Number(rows[0]?.count);
    };
    const settings = ROLLUP_DATABASE_SETTINGS;
    const connection = await connectDatabase({ url: test.url, poolSize: 1, settings });
    const bounds = { quota: { ...QUOTA, operations: 1_000 }, maxPending: 10_000, clock: { now: () => now } };
    const store = openRollupStore(connection, bounds);
    await database.pool.query('ANALYZE operation');
    const before = await rowsRead();
    // PostgreSQL keeps a plan from the sixth execution on.
    for (let nonce = 1; nonce <= 8; nonce += 1) await accept(store, transfer(1, nonce));
    await accept(store, ...transfers(500, 2));
    await accept(store, ...transfers(500, 3));
    await store.close();
    // A connection that ends hands in what it has counted.
    await connection.close();
    expect((await rowsRead()) - before).toBeLessThan(500);
  });
});
