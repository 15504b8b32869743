import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { hexFromBytes, parseAddress, parseHash, type Hash } from '@tetrad/types';
import { openLedgerStore, type BlockWrite, type LedgerStore } from '../src/index.js';

let testDatabase: TestDatabase;
let database: Database;
let store: LedgerStore;

const hashOf = (seed: number, kind = 0): Hash =>
  parseHash(`0x${Buffer.from([kind, seed]).toString('hex').padStart(64, '0')}`);
const ADDRESS = parseAddress(`0x${'aa'.repeat(20)}`);

/** A block with one transaction that emitted one log. */
function block(number: number, changes: Partial<BlockWrite> = {}): BlockWrite {
  return {
    block: {
      number,
      hash: hashOf(number),
      stateRoot: hashOf(number, 1),
      timestamp: number,
      header: Uint8Array.of(number),
      totalTransactions: number,
    },
    transactions: [
      {
        blockNumber: number,
        index: 0,
        hash: hashOf(number, 2),
        sender: ADDRESS,
        raw: Uint8Array.of(1, 2),
        status: 1,
        gasUsed: 21_000n,
        cumulativeGasUsed: 21_000n,
        firstLog: 0,
        logCount: 1,
      },
    ],
    logs: [
      {
        blockNumber: number,
        index: 0,
        transactionIndex: 0,
        address: ADDRESS,
        topics: [hashOf(1, 3), hashOf(number, 4)],
        data: Uint8Array.of(9),
      },
    ],
    nodes: [{ hash: Uint8Array.of(number), bytes: Uint8Array.of(7, number) }],
    codes: [],
    preimages: [],
    ...changes,
  };
}

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
  it('gives back what it was given', async () => {
    await store.appendBlock(block(1));
    expect(await store.findIdentity()).toEqual({ chainId: 1337n, genesisHash: hashOf(0) });
    expect((await store.findHead())?.hash).toBe(hashOf(1));
    expect((await store.findBlockByHash(hashOf(1)))?.number).toBe(1);
    expect(await store.findBlockByNumber(2)).toBeUndefined();
    const transaction = await store.findTransaction(hashOf(1, 2));
    expect(transaction).toMatchObject({ blockNumber: 1, sender: ADDRESS, status: 1, gasUsed: 21_000n });
    expect(await store.listTransactions(1)).toHaveLength(1);
    expect((await store.listBlockLogs(1))[0]?.topics).toEqual([hashOf(1, 3), hashOf(1, 4)]);
    expect(hexFromBytes((await store.findNode(Uint8Array.of(1))) ?? new Uint8Array(0))).toBe('0x0701');
    expect(await store.findNode(Uint8Array.of(99))).toBeUndefined();
  });

  it('stores a block whole or not at all', async () => {
    const [log] = block(1).logs;
    // Two logs under one key: the statement fails after header and transactions were written.
    await expect(store.appendBlock(block(1, { logs: [log, log] as BlockWrite['logs'] }))).rejects.toThrow();
    expect((await store.findHead())?.number).toBe(0);
    expect(await store.findBlockByNumber(1)).toBeUndefined();
    expect(await store.findTransaction(hashOf(1, 2))).toBeUndefined();
    expect(await store.findNode(Uint8Array.of(1))).toBeUndefined();
    await store.appendBlock(block(1));
    expect((await store.findHead())?.number).toBe(1);
  });

  it('takes only the block that follows the head', async () => {
    await expect(store.appendBlock(block(2))).rejects.toThrow('block 2 does not follow the head');
    await store.appendBlock(block(1));
    await expect(store.appendBlock(block(1))).rejects.toThrow('block 1 does not follow the head');
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
    expect(found).toMatchObject({
      blockHash: hashOf(3),
      transactionHash: hashOf(3, 2),
      blockTimestamp: 3,
      index: 0,
    });
  });

  it('takes mined transactions out of the journal with their block', async () => {
    await store.journal.append({ hash: hashOf(1, 2), raw: Uint8Array.of(1, 2) });
    await store.journal.append({ hash: hashOf(5, 2), raw: Uint8Array.of(3) });
    await store.appendBlock(block(1));
    expect((await store.journal.load()).map(({ hash }) => hash)).toEqual([hashOf(5, 2)]);
  });

  it('journals many at once in few commits, in order, and each is there when it says so', async () => {
    const before = await countCommits();
    const seeds = Array.from({ length: 250 }, (_, index) => index);
    await Promise.all(
      seeds.map((seed) => store.journal.append({ hash: hashOf(seed, 5), raw: Uint8Array.of(seed) })),
    );
    expect((await store.journal.load()).map(({ raw }) => raw[0])).toEqual(seeds);
    expect((await countCommits()) - before).toBeLessThan(50);
    await store.journal.remove(seeds.map((seed) => hashOf(seed, 5)));
    expect(await store.journal.load()).toEqual([]);
  });

  it('answers look-ups of one moment with one statement', async () => {
    for (const number of [1, 2, 3]) await store.appendBlock(block(number));
    const found = await Promise.all([1, 2, 3, 50].map((number) => store.findNode(Uint8Array.of(number))));
    expect(found.map((bytes) => bytes?.[1])).toEqual([1, 2, 3, undefined]);
  });

  async function countCommits(): Promise<number> {
    await database.pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await database.pool.query<{ commits: number }>(
      'SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]?.commits);
  }
});
