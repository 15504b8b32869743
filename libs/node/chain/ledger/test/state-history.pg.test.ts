import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createExecutor, decodeTransaction, flatEntries, type WorldState } from '@tetrad/node-execution';
import { BackupRows, openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import {
  ZERO_ADDRESS,
  bytesFromHex,
  hexFromBytes,
  silentLogger,
  silentMetrics,
  systemClock,
  type Address,
  type Block,
} from '@tetrad/types';
import { StatePruning, draftHeader, openLedger, type Ledger } from '../src/index.js';
import { failing, type PruningStore } from './failing-pruning.js';
import { MintedRules, type Minted } from './minted-rules.js';
import { CHAIN_ID, OWNER, STORERS, genesis } from './storing-genesis.js';

const BLOCKS = 6;
const SLOTS = 24;

let testDatabase: TestDatabase;
let database: Database;
let store: LedgerStore;
let ledger: Ledger<Minted>;
let pruning: StatePruning | undefined;
let now: number;
let nonce: bigint;
/** What the state of each block was when it was new. */
let states: string[][];
beforeEach(async () => {
  [now, nonce, states] = [1_600_000_000_000, 0n, []];
  testDatabase = await createTestDatabase('node');
});
afterEach(async () => {
  await close();
  await testDatabase.drop();
});

interface Opening {
  /** Undefined: complete history from here on. */
  readonly blocks?: number | undefined;
  readonly hasPrivateState?: boolean;
  readonly wrap?: (store: PruningStore) => PruningStore;
}

async function open({ blocks, hasPrivateState = false, wrap = (own) => own }: Opening): Promise<void> {
  database = await connectDatabase({ url: testDatabase.url });
  store = await openLedgerStore(database);
  const rules = await MintedRules.open(database);
  ledger = await openLedger({
    genesis,
    rules,
    store,
    executor: createExecutor(genesis),
    stateHistory: blocks,
    clock: { ...systemClock, now: () => now },
    logger: silentLogger,
    metrics: silentMetrics,
  });
  if (states.length === 0) states.push(await stateAt(0));
  if (blocks === undefined) return;
  pruning = StatePruning.start({
    ledger,
    hasPrivateState,
    nodesOfStep: 3,
    logger: silentLogger,
    metrics: silentMetrics,
    store: wrap(store.history),
    isDatabaseUnavailable: () => true,
  });
}

async function close(): Promise<void> {
  await pruning?.close();
  pruning = undefined;
  await store.close();
  await database.close();
}

const word = (value: bigint) => value.toString(16).padStart(64, '0');

/** Blocks in each of which a few slots get values, some of them zero or as they were before. */
async function grow(count: number, random: () => number, isSettled = true): Promise<void> {
  for (let block = 0; block < count; block++) {
    await append(Array.from({ length: 3 }, () => [random() % 2, random() % SLOTS, random() % 3] as const));
    if (isSettled) await pruning?.settled();
    states.push(await stateAt(ledger.head().header.number));
  }
}

async function append(changes: readonly (readonly [number, number, number])[]): Promise<void> {
  now += 1_000;
  const head = ledger.head();
  const timestamp = ledger.rules.timestampAt(now);
  const context = ledger.contextAbove(
    ledger.rules.nextContext(head.header, { proposer: ZERO_ADDRESS, timestamp }),
  );
  const execution = ledger.execute(context, await ledger.worldAt(head));
  const transactions = changes.map(([storer, slot, value]) => {
    const fields = { chainId: BigInt(CHAIN_ID), nonce: nonce++, gasLimit: 200_000n, value: 0n };
    const data = bytesFromHex(`0x${word(BigInt(slot))}${word(BigInt(value))}`);
    const call = { ...fields, to: STORERS[storer] as Address, data };
    const raw = signTransaction({ ...call, fees: { type: 'legacy', gasPrice: 0n } }, OWNER.privateKey);
    return decodeTransaction(raw, BigInt(CHAIN_ID));
  });
  await execution.addAll(transactions);
  const executed = await execution.finish();
  const header = draftHeader({
    parentHash: head.hash,
    timestamp,
    block: context,
    fork: ledger.executor.rules(context),
    commitments: { ...executed, stateRoot: executed.changes.stateRoot },
  });
  await ledger.append({ hash: ledger.rules.hashHeader(header), header, transactions }, executed);
}

async function worldAt(number: number): Promise<WorldState> {
  const block = await ledger.findBlock(number);
  if (block === undefined) throw new Error(`no block ${number}`);
  return ledger.worldAt(block);
}

async function stateAt(number: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const { key, value } of flatEntries(await worldAt(number)))
    lines.push(`${hexFromBytes(key)} ${hexFromBytes(value)}`);
  return lines;
}

/**
 * Reads every block: whole states from the horizon on, refusals before it.
 * @returns the oldest block that is read
 */
async function checkAll(): Promise<number> {
  const head = ledger.head().header.number;
  const oldest = ledger.horizon.oldestAt(head);
  for (let number = 0; number <= head; number++) {
    if (number >= oldest) expect(await stateAt(number)).toEqual(states[number]);
    else
      await expect(worldAt(number)).rejects.toMatchObject({
        code: 'STATE_NOT_AVAILABLE',
        message: expect.stringContaining('missing trie node') as unknown,
        data: { oldestBlock: oldest },
      });
  }
  return oldest;
}

async function rowsIn(table: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
  return Number(rows[0]?.count);
}

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

describe('a bounded history of states', () => {
  it.each([1, 2])('has every state of the newest blocks, and refuses older ones (seed %i)', async (seed) => {
    await open({ blocks: BLOCKS });
    const random = randomOf(seed);
    for (let part = 0; part < 5; part++) {
      await grow(BLOCKS, random);
      expect(await checkAll()).toBe(Math.max(0, ledger.head().header.number - BLOCKS));
    }
    // Two epochs at most: each has a state, and the nodes of as many blocks as are kept, and those of one epoch more.
    const most = 2 * (2 * SLOTS * 2 + 2 * BLOCKS * 3 * 8);
    expect((await rowsIn('trie_node')) + (await rowsIn('trie_node_b'))).toBeLessThan(most);
    expect(ledger.horizon.oldestStored).toBeGreaterThan(2 * BLOCKS);
    expect(await ledger.verifyFromGenesis()).toBe(5 * BLOCKS - ledger.horizon.oldestStored);
  });

  it('loses nothing when the process is killed between any two steps', async () => {
    const random = randomOf(3);
    await open({});
    await grow(3, random);
    for (let at = 0; at < 16; at++) {
      await close();
      await open({ blocks: BLOCKS, wrap: failing(at % 8, at % 2 === 0) });
      await grow(2, random);
      await checkAll();
    }
    await close();
    await open({ blocks: BLOCKS });
    await grow(2 * BLOCKS, random);
    expect(await checkAll()).toBe(ledger.head().header.number - BLOCKS);
    expect(ledger.horizon.oldestStored).toBeGreaterThan(BLOCKS);
  });

  it('begins on a chain with complete history, and ends again, with another number of blocks meanwhile', async () => {
    const random = randomOf(4);
    await open({});
    await grow(BLOCKS, random);
    expect(await checkAll()).toBe(0);
    await close();
    await open({ blocks: 3 });
    await grow(2 * BLOCKS, random);
    expect(await checkAll()).toBe(3 * BLOCKS - 3);
    const stored = ledger.horizon.oldestStored;
    expect(stored).toBeGreaterThan(0);
    await close();
    await open({ blocks: 100 });
    await grow(2, random);
    expect(await checkAll()).toBe(stored);
    await close();
    await open({});
    await grow(BLOCKS, random);
    expect(await checkAll()).toBe(stored);
  });

  it('keeps what private state has not executed yet', async () => {
    const random = randomOf(5);
    await open({ blocks: 2, hasPrivateState: true });
    await grow(4 * BLOCKS, random);
    // Nothing was followed: block 1 is executed on the state of block 0.
    expect(ledger.horizon.oldestStored).toBe(0);
    const replayed = await ledger.replayForFollower((await ledger.findBlock(1)) as Block);
    expect((await replayed.world.findAccount(OWNER.address))?.nonce).toBe(0n);
    const followed = (await ledger.findBlock(BLOCKS)) as Block;
    await store.privateState.moveHead({ number: BLOCKS, hash: followed.hash }, -1);
    await grow(2, random);
    expect(ledger.horizon.oldestStored).toBeGreaterThan(0);
    expect(ledger.horizon.oldestStored).toBeLessThanOrEqual(BLOCKS);
    await ledger.replayForFollower((await ledger.findBlock(BLOCKS + 1)) as Block);
    await checkAll();
  });

  it('refuses a read during which the state was removed', async () => {
    const random = randomOf(6);
    await open({});
    await grow(4, random);
    await close();
    await open({ blocks: 2 });
    const world = await worldAt(2);
    await grow(2 * BLOCKS, random);
    expect(ledger.horizon.oldestStored).toBeGreaterThan(2);
    // In another process, so that nothing is in memory.
    const read = async () => {
      for await (const entry of flatEntries(world)) void entry;
    };
    const empty = { findNode: async () => undefined };
    Object.assign((ledger as unknown as { parts: { state: { nodes: object } } }).parts.state.nodes, empty);
    await expect(read()).rejects.toMatchObject({ code: 'STATE_NOT_AVAILABLE' });
  });

  it('does not empty a table under a backup', async () => {
    const random = randomOf(7);
    await open({ blocks: 1 });
    await database.transaction(async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const rows = new BackupRows(client);
      await rows.holdStates();
      expect((await rows.findChain())?.head).toBe(0);
      await grow(4, random);
      expect(ledger.horizon.oldestStored).toBe(0);
    });
    await grow(2, random);
    expect(ledger.horizon.oldestStored).toBeGreaterThan(0);
    await checkAll();
  });

  it('names the right that the role of the database lacks', async () => {
    await open({});
    await expect(store.history.assertMayEmpty()).resolves.toBeUndefined();
    const role = `rows_only_${process.pid}`;
    await database.pool.query(`CREATE ROLE ${role}`);
    try {
      const client = await database.pool.connect();
      const query = client.query.bind(client);
      const own = Object.assign(database.pool, { query });
      await query(`SET ROLE ${role}`);
      await expect(store.history.assertMayEmpty()).rejects.toThrow(
        `GRANT TRUNCATE ON trie_node, trie_node_b TO ${role}`,
      );
      await query('RESET ROLE');
      delete (own as { query?: unknown }).query;
      client.release();
    } finally {
      await database.pool.query(`DROP ROLE ${role}`);
    }
  });

  it('gathers nothing from a damaged table', async () => {
    const random = randomOf(8);
    await open({});
    await grow(2, random);
    await close();
    const damage = () => database.pool.query(`UPDATE trie_node SET encoded = '\\xc0'`);
    const wrap = (own: PruningStore): PruningStore => ({
      find: () => own.find(),
      sizes: () => own.sizes(),
      begin: async () => {
        await own.begin();
        await damage();
      },
      gather: (hashes, next) => own.gather(hashes, next),
      retire: (terms) => own.retire(terms),
    });
    await open({ blocks: 1, wrap });
    await append([]);
    await pruning?.settled();
    expect((await store.history.find())?.epoch?.isGathered).toBe(false);
    await expect(store.history.retire({ blocks: 0, hasPrivateState: false })).resolves.toBe(false);
    expect(await rowsIn('trie_node')).toBeGreaterThan(0);
  });
});
