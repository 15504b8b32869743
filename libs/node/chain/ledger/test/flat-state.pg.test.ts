import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import {
  createExecutor,
  decodeTransaction,
  defaultGenesis,
  flatEntries,
  parseGenesis,
} from '@tetrad/node-execution';
import { openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import { createTestDatabase, developmentAccounts, type TestDatabase } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import {
  ZERO_ADDRESS,
  addressToBytes,
  bytesFromHex,
  hexFromBytes,
  parseAddress,
  silentLogger,
  silentMetrics,
  systemClock,
  type Address,
  type Block,
} from '@tetrad/types';
import { draftHeader, openLedger, type ExecutedBlock, type Ledger } from '../src/index.js';
import { MintedRules, type Minted } from './minted-rules.js';

const CHAIN_ID = 1337;
const [OWNER] = developmentAccounts(1, 'owner') as [{ address: Address; privateKey: Uint8Array }];
const STORER = parseAddress(`0x${'cc'.repeat(20)}`);
/** Stores the second word of the call data in the slot that the first one names. */
const STORING_CODE = '0x6020356000355500';

const json = defaultGenesis({
  chainId: CHAIN_ID,
  engine: 'qbft',
  blockPeriodMs: 1000,
  extraData: '0x',
  balances: new Map([[OWNER.address, 10n ** 24n]]),
});
const genesis = parseGenesis({
  ...json,
  config: { ...(json['config'] as object), qbft: undefined, raft: true },
  alloc: { ...(json['alloc'] as object), [STORER]: { balance: '0x0', code: STORING_CODE } },
});

let testDatabase: TestDatabase;
let database: Database;
let store: LedgerStore;
let ledger: Ledger<Minted>;
let now: number;
let nonce: bigint;
beforeEach(async () => {
  [now, nonce] = [1_600_000_000_000, 0n];
  testDatabase = await createTestDatabase('node');
  await open();
});
afterEach(async () => {
  await close();
  await testDatabase.drop();
});

async function open(): Promise<void> {
  database = await connectDatabase({ url: testDatabase.url });
  store = await openLedgerStore(database);
  const rules = await MintedRules.open(database);
  ledger = await openLedger({
    genesis,
    rules,
    store,
    executor: createExecutor(genesis),
    clock: { ...systemClock, now: () => now },
    logger: silentLogger,
    metrics: silentMetrics,
  });
}

async function close(): Promise<void> {
  await store.close();
  await database.close();
}

async function reopen(): Promise<void> {
  await close();
  await open();
}

const word = (value: bigint) => value.toString(16).padStart(64, '0');

/** A block in which a slot of STORER gets a value; not stored yet. */
async function draft(slot: bigint, value: bigint): Promise<{ block: Block; executed: ExecutedBlock }> {
  now += 1_000;
  const head = ledger.head();
  const timestamp = ledger.rules.timestampAt(now);
  const context = ledger.contextAbove(
    ledger.rules.nextContext(head.header, { proposer: ZERO_ADDRESS, timestamp }),
  );
  const execution = ledger.execute(context, await ledger.worldAt(head));
  const fields = { chainId: BigInt(CHAIN_ID), nonce: nonce++, gasLimit: 200_000n, value: 0n, to: STORER };
  const data = bytesFromHex(`0x${word(slot)}${word(value)}`);
  const raw = signTransaction({ ...fields, data, fees: { type: 'legacy', gasPrice: 0n } }, OWNER.privateKey);
  const transactions = [decodeTransaction(raw, BigInt(CHAIN_ID))];
  await execution.addAll(transactions);
  const executed = await execution.finish();
  const header = draftHeader({
    parentHash: head.hash,
    timestamp,
    block: context,
    fork: ledger.executor.rules(context),
    commitments: { ...executed, stateRoot: executed.changes.stateRoot },
  });
  return { block: { hash: ledger.rules.hashHeader(header), header, transactions }, executed };
}

async function put(slot: bigint, value: bigint): Promise<void> {
  const { block, executed } = await draft(slot, value);
  await ledger.append(block, executed);
}

async function rowsOf(): Promise<string[]> {
  const { rows } = await database.pool.query<{ key: Buffer; value: Buffer }>(
    'SELECT key, value FROM flat_state',
  );
  return rows.map(({ key, value }) => `${hexFromBytes(key)} ${hexFromBytes(value)}`).sort();
}

/** What the tries of the head hold. */
async function walked(): Promise<string[]> {
  const lines: string[] = [];
  for await (const { key, value } of flatEntries(await ledger.worldAt(ledger.head())))
    lines.push(`${hexFromBytes(key)} ${hexFromBytes(value)}`);
  return lines.sort();
}

const slotKey = (slot: bigint) => Buffer.concat([addressToBytes(STORER), bytesFromHex(`0x${word(slot)}`)]);

describe('the flat table', () => {
  it('equals the tries after block 0, after every block and after a restart', async () => {
    expect(await rowsOf()).toEqual(await walked());
    for (const [slot, value] of [
      [1n, 5n],
      [2n, 2n ** 200n],
      [1n, 0n],
      [3n, 9n],
    ] as const) {
      await put(slot, value);
      expect(await rowsOf()).toEqual(await walked());
    }
    await reopen();
    expect(await rowsOf()).toEqual(await walked());
    await put(2n, 0n);
    expect(await rowsOf()).toEqual(await walked());
    expect(await store.flatState.findRoot()).toBe(ledger.head().header.stateRoot);
    expect(await ledger.verifyFromGenesis()).toBe(5);
  });

  it('answers for its root only', async () => {
    await put(1n, 5n);
    const before = ledger.head().header.stateRoot;
    expect(await store.flatState.find(before, slotKey(1n))).toEqual(Buffer.from([5]));
    expect(await store.flatState.find(before, slotKey(7n))).toBeNull();
    await put(1n, 6n);
    expect(await store.flatState.find(before, slotKey(1n))).toBeUndefined();
    expect(await store.flatState.find(ledger.head().header.stateRoot, slotKey(1n))).toEqual(Buffer.from([6]));
  });

  it('does not show a block that is stored and not yet the head to readers of the head', async () => {
    await put(1n, 5n);
    await reopen();
    const world = await ledger.worldAt(ledger.head());
    const { block, executed } = await draft(1n, 6n);
    // The next block is committed by the database; this process has not heard of it yet.
    await store.flatState.rebuild(executed.changes.stateRoot, flatEntries(world));
    await database.pool.query('UPDATE flat_state SET value = $1 WHERE key = $2', [Buffer.of(6), slotKey(1n)]);
    expect(hexFromBytes(await world.readSlot(STORER, bytesFromHex(`0x${word(1n)}`)))).toBe(`0x${word(5n)}`);
    expect(block.header.number).toBe(2);
  });

  it('is unchanged when the block is not stored', async () => {
    await put(1n, 5n);
    const [rows, root] = [await rowsOf(), await store.flatState.findRoot()];
    // The row of a block that there is not is in the way of the block.
    await database.pool.query('INSERT INTO minted (block) VALUES (2)');
    await expect(put(1n, 6n)).rejects.toThrow('minted_pkey');
    expect(await rowsOf()).toEqual(rows);
    expect(await store.flatState.findRoot()).toBe(root);
    await database.pool.query('DELETE FROM minted WHERE block = 2');
    nonce--;
    await put(1n, 7n);
    expect(await rowsOf()).toEqual(await walked());
  });

  it.each([
    ['of a chain that was begun without it', 'DELETE FROM flat_state_head'],
    ['of another root', `UPDATE flat_state_head SET state_root = decode(repeat('00', 32), 'hex')`],
  ])('is rebuilt at the start where it is that %s', async (_what, change) => {
    await put(1n, 5n);
    await database.pool.query(change);
    await database.pool.query(`UPDATE flat_state SET value = '\\xff'`);
    // Blocks leave it alone, and reads do without it.
    await put(2n, 8n);
    expect(await store.flatState.find(ledger.head().header.stateRoot, slotKey(1n))).toBeUndefined();
    await reopen();
    expect(await rowsOf()).toEqual(await walked());
    await put(1n, 0n);
    expect(await rowsOf()).toEqual(await walked());
    expect(await ledger.verifyFromGenesis()).toBe(3);
  });

  it('is read with one statement for many accounts and slots that are not in memory', async () => {
    for (let slot = 1n; slot <= 20n; slot++) await put(slot, slot);
    await reopen();
    const world = await ledger.worldAt(ledger.head());
    const slots = Array.from({ length: 20 }, (_, at) => BigInt(at + 1));
    let statements = 0;
    const query = database.pool.query.bind(database.pool);
    Object.assign(database.pool, {
      query: (...given: Parameters<typeof query>) => {
        statements++;
        return query(...given);
      },
    });
    const values = await Promise.all([
      world.findAccount(STORER),
      ...slots.map((slot) => world.readSlot(STORER, bytesFromHex(`0x${word(slot)}`))),
    ]);
    expect(values.slice(1).map((value) => hexFromBytes(value as Uint8Array))).toEqual(
      slots.map((slot) => `0x${word(slot)}`),
    );
    expect(statements).toBe(1);
  });
});
