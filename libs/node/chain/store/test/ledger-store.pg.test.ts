import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailableError, connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { addressToBytes, hexFromBytes, parseAddress } from '@tetrad/types';
import {
  BackupRows,
  openLedgerStore,
  type BlockWrite,
  type JoinedRows,
  type LedgerStore,
} from '../src/index.js';
import { ADDRESS, TIME, block, hashOf, node } from './block-write.js';

let testDatabase: TestDatabase;
let database: Database;
let store: LedgerStore;

beforeEach(async () => {
  testDatabase = await createTestDatabase('node');
  database = await connectDatabase({ url: testDatabase.url });
  store = await openLedgerStore(database);
  await store.initialise(
    { chainId: 1337n, genesisHash: hashOf(0) },
    block(0, { transactions: [], logs: [] }),
  );
});
afterEach(async () => {
  await store.close();
  await database.close();
  await testDatabase.drop();
});

describe('the ledger store', () => {
  it('returns what was stored', async () => {
    await store.appendBlock(block(1));
    expect(await store.findIdentity()).toEqual({ chainId: 1337n, genesisHash: hashOf(0) });
    expect((await store.findHead())?.hash).toBe(hashOf(1));
    expect((await store.findBlockByHash(hashOf(1)))?.number).toBe(1);
    expect(await store.findBlockByNumber(2)).toBeUndefined();
    const transaction = await store.findTransaction(hashOf(1, 2));
    expect(transaction).toMatchObject({ blockNumber: 1, sender: ADDRESS, status: 1, gasUsed: 21_000n });
    expect(await store.listTransactions(1)).toHaveLength(1);
    expect((await store.listBlockLogs(1))[0]?.topics).toEqual([hashOf(1, 3), hashOf(1, 4)]);
    expect(hexFromBytes((await store.findNode(node(1).hash)) ?? new Uint8Array(0))).toBe('0x0701');
    expect(await store.findNode(node(99).hash)).toBeUndefined();
  });

  it('stores rows of other parts with the block, or neither', async () => {
    const text = 'INSERT INTO validator_candidate (address, is_add) VALUES ($1, true)';
    const rows: JoinedRows = {
      write: async (client) => void (await client.query(text, [addressToBytes(ADDRESS)])),
    };
    const broken: JoinedRows = { write: () => Promise.reject(new Error('a part fails')) };
    await expect(store.appendBlock(block(1, { joined: [rows, broken] }))).rejects.toThrow('a part fails');
    expect((await store.findHead())?.number).toBe(0);
    expect((await store.validators.listCandidates()).size).toBe(0);
    await store.appendBlock(block(1, { joined: [rows] }));
    expect(await store.validators.listCandidates()).toEqual(new Map([[ADDRESS, true]]));
  });

  it('stores a block whole or not at all', async () => {
    const [log] = block(1).logs;
    // Two logs under one key: the statement fails after header and transactions were written.
    await expect(store.appendBlock(block(1, { logs: [log, log] as BlockWrite['logs'] }))).rejects.toThrow();
    expect((await store.findHead())?.number).toBe(0);
    expect(await store.findBlockByNumber(1)).toBeUndefined();
    expect(await store.findTransaction(hashOf(1, 2))).toBeUndefined();
    expect(await store.findNode(node(1).hash)).toBeUndefined();
    await store.appendBlock(block(1));
    expect((await store.findHead())?.number).toBe(1);
  });

  it('accepts only the block that follows the head', async () => {
    await expect(store.appendBlock(block(2))).rejects.toThrow('block 2 does not follow the head');
    await store.appendBlock(block(1));
    await expect(store.appendBlock(block(1))).rejects.toThrow('block 1 does not follow the head');
  });

  it('accepts no block on top of another than its head', async () => {
    await expect(store.appendBlock(block(1, { parentHash: hashOf(7) }))).rejects.toThrow(
      'block 1 does not follow the head',
    );
  });

  it('stores nothing of a block whose connection is lost on the way', async () => {
    const { transaction } = database;
    database.transaction = (work) =>
      transaction(async (client) => {
        const result = await work(client);
        await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
        return result;
      });
    await expect(store.appendBlock(block(1))).rejects.toThrow(DatabaseUnavailableError);
    database.transaction = transaction;
    expect((await store.findHead())?.number).toBe(0);
    expect(await store.findNode(node(1).hash)).toBeUndefined();
    await store.appendBlock(block(1));
    expect((await store.findHead())?.number).toBe(1);
  });

  it('reads a part of the logs of a block', async () => {
    const [log] = block(1).logs as [BlockWrite['logs'][number]];
    const logs = [0, 1, 2, 3].map((index) => ({ ...log, index }));
    await store.appendBlock(block(1, { logs }));
    const part = async (first: number, count: number) =>
      (await store.listBlockLogs(1, { first, count })).map(({ index }) => index);
    expect(await part(1, 2)).toEqual([1, 2]);
    expect(await part(3, 0)).toEqual([]);
    expect(await store.listBlockLogs(1)).toHaveLength(4);
  });

  it('reads transactions at places of several blocks, with their blocks and logs', async () => {
    const [log] = block(1).logs as [BlockWrite['logs'][number]];
    const [transaction] = block(1).transactions as [BlockWrite['transactions'][number]];
    const both = [0, 1].map((index) => ({ ...transaction, index, hash: hashOf(1, 2 + index) }));
    const logs = [0, 1, 2].map((index) => ({ ...log, index, transactionIndex: index === 0 ? 0 : 1 }));
    await store.appendBlock(block(1, { transactions: both, logs }));
    await store.appendBlock(block(2));
    const places = [
      { number: 2, index: 0 },
      { number: 1, index: 1 },
      { number: 1, index: 7 },
      { number: 9, index: 0 },
    ];
    const found = await store.listAt(places);
    const rows = [...(await store.listTransactions(1)), ...(await store.listTransactions(2))];
    expect(new Set(found.transactions)).toEqual(new Set(rows.filter((_, at) => at > 0)));
    expect(new Set(found.blocks)).toEqual(new Set(await store.listBlocks(1, 2)));
    expect(found.logs).toEqual([
      ...(await store.listBlockLogs(1)).slice(1),
      ...(await store.listBlockLogs(2)),
    ]);
    expect(await store.listAt([])).toEqual({ blocks: [], transactions: [], logs: [] });
  });

  it('refuses a trie node that does not match its hash', async () => {
    await store.appendBlock(block(1));
    await database.pool.query('UPDATE trie_node SET encoded = $1', [Buffer.of(1)]);
    await expect(store.findNode(node(1).hash)).rejects.toThrow(/^trie_node [0-9a-f]{64} is damaged$/);
  });

  it('finds logs by block range, address and topics', async () => {
    for (const number of [1, 2, 3]) await store.appendBlock(block(number));
    const find = (changes: object) =>
      store.findLogs({ fromBlock: 0, toBlock: 9, addresses: [], topics: [], limit: 10, ...changes });
    const numbers = async (changes: object) => (await find(changes)).map(({ blockNumber }) => blockNumber);
    expect(await numbers({})).toEqual([1, 2, 3]);
    expect(await numbers({ fromBlock: 2 })).toEqual([2, 3]);
    expect(await numbers({ limit: 2 })).toEqual([1, 2]);
    expect(await numbers({ addresses: [ADDRESS] })).toEqual([1, 2, 3]);
    expect(await numbers({ addresses: [parseAddress(`0x${'bb'.repeat(20)}`)] })).toEqual([]);
    expect(await numbers({ topics: [[hashOf(1, 3)], [hashOf(2, 4), hashOf(3, 4)]] })).toEqual([2, 3]);
    expect(await numbers({ topics: [undefined, [hashOf(1, 4)]] })).toEqual([1]);
    // A third position demands a third topic, whatever it is.
    expect(await numbers({ topics: [undefined, undefined, undefined] })).toEqual([]);
    const [found] = await find({ fromBlock: 3 });
    // Each log of these blocks has as much data as the first.
    const size = found?.data.length ?? 0;
    expect(size).toBeGreaterThan(0);
    expect(await numbers({ maxDataBytes: 3 * size })).toEqual([1, 2, 3]);
    expect(await numbers({ maxDataBytes: 2 * size, limit: 2 })).toEqual([1, 2]);
    await expect(find({ maxDataBytes: 3 * size - 1 })).rejects.toThrow('the logs have more than');
    expect(found).toMatchObject({
      blockHash: hashOf(3),
      transactionHash: hashOf(3, 2),
      blockTimestamp: TIME + 3n,
      index: 0,
    });
  });

  it('removes mined transactions from the journal with their block', async () => {
    await store.journal.append({ hash: hashOf(1, 2), raw: Uint8Array.of(1, 2), acceptedMs: 1 });
    await store.journal.append({ hash: hashOf(5, 2), raw: Uint8Array.of(3), acceptedMs: 1 });
    await store.appendBlock(block(1));
    expect((await store.journal.load()).map(({ hash }) => hash)).toEqual([hashOf(5, 2)]);
  });

  it('journals many at once in few commits, in order, and each is durable when acknowledged', async () => {
    const before = await countCommits();
    const seeds = Array.from({ length: 250 }, (_, index) => index);
    await Promise.all(seeds.map((seed) => store.journal.append(pooled(seed))));
    expect((await store.journal.load()).map(({ raw }) => raw[0])).toEqual(seeds);
    expect((await countCommits()) - before).toBeLessThan(50);
    await store.journal.remove(seeds.map((seed) => hashOf(seed, 5)));
    expect(await store.journal.load()).toEqual([]);
  });

  it('replaces a journalled transaction in one commit, also within a group', async () => {
    await store.journal.append(pooled(1));
    await Promise.all([
      store.journal.append(pooled(2), [pooled(1).hash]),
      store.journal.append(pooled(3)),
      store.journal.append(pooled(4), [pooled(3).hash]),
    ]);
    expect((await store.journal.load()).map(({ raw }) => raw[0])).toEqual([2, 4]);
  });

  it('keeps one that is removed and accepted again, whatever else is written with it', async () => {
    await store.journal.append(pooled(1));
    const { journal } = store;
    await Promise.all([
      journal.append(pooled(2), [pooled(1).hash]),
      journal.append(pooled(1)),
      journal.append(pooled(3)),
      journal.remove([pooled(3).hash]),
      journal.append(pooled(3)),
      journal.remove([pooled(2).hash]),
    ]);
    expect((await journal.load()).map(({ raw }) => raw[0])).toEqual([1, 3]);
  });

  it('returns the journal page by page, with the times of acceptance', async () => {
    const times = [1_763_800_000_001, 1_763_800_000_002, 1_763_800_000_003];
    for (const [seed, acceptedMs] of times.entries())
      await store.journal.append({ ...pooled(seed), acceptedMs });
    const first = await store.journal.load({ limit: 2n });
    expect(first.map(({ acceptedMs }) => acceptedMs)).toEqual(times.slice(0, 2));
    const after = first[1]?.sequence as bigint;
    const rest = await store.journal.load({ after, limit: 2n });
    expect(rest.map(({ acceptedMs }) => acceptedMs)).toEqual(times.slice(2));
  });

  it('fails all writers of a group that could not be written, and accepts the next', async () => {
    await database.pool.query('ALTER TABLE pool_transaction RENAME TO elsewhere');
    const rows = [1, 2].map(pooled);
    const results = await Promise.allSettled(rows.map((row) => store.journal.append(row)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await database.pool.query('ALTER TABLE elsewhere RENAME TO pool_transaction');
    for (const row of rows) await store.journal.append(row);
    expect(await store.journal.load()).toHaveLength(2);
  });

  it('writes large transactions in several statements', async () => {
    const raw = new Uint8Array(1024 * 1024);
    const query = database.pool.query.bind(database.pool);
    let inserts = 0;
    database.pool.query = ((...parameters: Parameters<typeof query>) => {
      if ((parameters[0] as { name?: string }).name === 'journal-pool') inserts += 1;
      return query(...parameters);
    }) as typeof query;
    const seeds = [1, 2, 3, 4, 5, 6];
    await Promise.all(seeds.map((seed) => store.journal.append({ ...pooled(seed), raw })));
    database.pool.query = query;
    expect(inserts).toBe(2);
    expect(await store.journal.load()).toHaveLength(6);
  });

  it('answers concurrent look-ups with one statement', async () => {
    for (const number of [1, 2, 3]) await store.appendBlock(block(number));
    const query = database.pool.query.bind(database.pool);
    let statements = 0;
    database.pool.query = ((...parameters: Parameters<typeof query>) => {
      statements += 1;
      return query(...parameters);
    }) as typeof query;
    const found = await Promise.all([1, 2, 3, 50].map((number) => store.findNode(node(number).hash)));
    database.pool.query = query;
    expect(found.map((bytes) => bytes?.[1])).toEqual([1, 2, 3, undefined]);
    expect(statements).toBe(1);
  });

  function pooled(seed: number) {
    return { hash: hashOf(seed, 5), raw: Uint8Array.of(seed), acceptedMs: seed };
  }

  async function countCommits(): Promise<number> {
    await database.pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await database.pool.query<{ commits: number }>(
      'SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]?.commits);
  }
});

describe('the rows that a backup reads', () => {
  it('are those of the chain, and the transactions after a position in order', async () => {
    for (const number of [1, 2, 3]) await store.appendBlock(block(number));
    const rows = new BackupRows(database.pool);
    expect(await rows.findChain()).toEqual({ chainId: 1337, genesisHash: hashOf(0), head: 3 });
    expect(await rows.findBlock(2)).toEqual({ hash: hashOf(2), stateRoot: hashOf(2, 1) });
    expect(await rows.findBlock(4)).toBeUndefined();
    const places = async (number: number, index: number, most: number) =>
      (await rows.listTransactions({ number, index }, most)).map((row) => [
        row.number,
        row.index,
        row.sender,
      ]);
    expect(await places(1, 0, 10)).toEqual([
      [2, 0, ADDRESS],
      [3, 0, ADDRESS],
    ]);
    expect(await places(1, -1, 1)).toEqual([[1, 0, ADDRESS]]);
  });

  it('have the newest root of private state up to a block', async () => {
    const rows = new BackupRows(database.pool);
    expect([await rows.findPrivateHead(), await rows.findPrivateRoot(9)]).toEqual([undefined, undefined]);
    const extensions = { started: [], approved: [], finished: [] };
    const lists = { receipts: [], logs: [], contracts: [], nodes: [], codes: [], preimages: [] };
    const empty = { ...lists, extensions };
    const head = (number: number) => ({ number, hash: hashOf(number) });
    await store.privateState.moveHead(head(0), -1);
    await store.privateState.moveHead(head(4), 0, { ...empty, stateRoot: hashOf(4, 5) });
    await store.privateState.moveHead(head(7), 4, { ...empty, stateRoot: hashOf(7, 5) });
    expect(await rows.findPrivateHead()).toBe(7);
    expect([await rows.findPrivateRoot(3), await rows.findPrivateRoot(6)]).toEqual([undefined, hashOf(4, 5)]);
  });
});
