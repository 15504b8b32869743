import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import {
  createExecutor,
  decodeTransaction,
  defaultGenesis,
  parseGenesis,
  type StateSource,
} from '@tetrad/node-execution';
import { openTransactionPool, type TransactionPool } from '@tetrad/node-pool';
import { openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import { createTestDatabase, developmentAccounts, type TestDatabase } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import {
  ZERO_ADDRESS,
  bytesFromHex,
  parseAddress,
  silentLogger,
  silentMetrics,
  systemClock,
  type Address,
  type Block,
  type SignedTransaction,
} from '@tetrad/types';
import { StateWarming, draftHeader, openLedger, type Ledger } from '../src/index.js';
import { MintedRules, type Minted } from './minted-rules.js';

const CHAIN_ID = 1337;
const SLOTS = 8;
const [OWNER] = developmentAccounts(1, 'owner') as [{ address: Address; privateKey: Uint8Array }];
const WRITER = parseAddress(`0x${'aa'.repeat(20)}`);
const LOOP = parseAddress(`0x${'bb'.repeat(20)}`);
/** Doubles the slots 0 to 7: DUP1 SLOAD DUP1 ADD DUP2 SSTORE, from the slot on the stack downwards. */
const DOUBLING = `60${(SLOTS - 1).toString(16).padStart(2, '0')}5b8054800181558015601557600190036002565b00`;

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
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
  alloc: {
    ...(json['alloc'] as object),
    [WRITER]: {
      balance: '0x0',
      code: `0x${DOUBLING}`,
      storage: Object.fromEntries(Array.from({ length: SLOTS }, (_, slot) => [word(slot), word(slot + 1)])),
    },
    [LOOP]: { balance: '0x0', code: '0x5b600056' },
  },
});

interface Chain {
  readonly database: Database;
  readonly store: LedgerStore;
  readonly ledger: Ledger<Minted>;
  readonly pool: TransactionPool;
  readonly warming: StateWarming;
}

let testDatabase: TestDatabase;
let chain: Chain;
let now = 1_600_000_000_000;
let nonce = 0n;
/** Reads of the database since the last look. */
let reads = 0;
beforeAll(async () => {
  testDatabase = await createTestDatabase('node');
  chain = await open();
});
afterAll(async () => {
  await close();
  await testDatabase.drop();
});

/** The store, with what the state reads of it counted. */
function counted(store: LedgerStore): LedgerStore {
  const count =
    (name: keyof StateSource) =>
    (hash: Uint8Array): Promise<Uint8Array | undefined> => {
      reads++;
      return store[name](hash);
    };
  return {
    ...store,
    findNode: count('findNode'),
    findCode: count('findCode'),
    findPreimage: count('findPreimage'),
    flatState: Object.assign(Object.create(store.flatState) as LedgerStore['flatState'], {
      find: (...asked: Parameters<LedgerStore['flatState']['find']>) => {
        reads++;
        return store.flatState.find(...asked);
      },
    }),
  };
}

async function open(): Promise<Chain> {
  const database = await connectDatabase({ url: testDatabase.url });
  const store = counted(await openLedgerStore(database));
  const environment = { logger: silentLogger, metrics: silentMetrics };
  const rules = await MintedRules.open(database);
  const ledger = await openLedger({
    genesis,
    rules,
    store,
    executor: createExecutor(genesis),
    ...environment,
    clock: { ...systemClock, now: () => now },
  });
  const pool = await openTransactionPool({
    chain: ledger,
    journal: store.journal,
    ...environment,
    isOwnAccount: () => false,
    limits: { minimumGasPrice: 0n },
  });
  const warming = new StateWarming({ ledger, pool, proposer: ZERO_ADDRESS, ...environment });
  return { database, store, ledger, pool, warming };
}

async function close(): Promise<void> {
  await chain.warming.stop();
  await chain.store.close();
  await chain.database.close();
}

/** As after a restart: nothing is in memory. */
async function reopen(): Promise<void> {
  await close();
  chain = await open();
}

function call(to: Address, gasLimit = 1_000_000n): SignedTransaction {
  const fields = { chainId: BigInt(CHAIN_ID), nonce: nonce++, gasLimit, value: 0n, to };
  const unsigned = { ...fields, data: bytesFromHex('0x'), fees: { type: 'legacy', gasPrice: 0n } as const };
  return decodeTransaction(signTransaction(unsigned, OWNER.privateKey), BigInt(CHAIN_ID));
}

/**
 * Executes a block of the transactions on the head and appends it.
 * @returns reads of the database that it took
 */
async function mine(transactions: readonly SignedTransaction[]): Promise<number> {
  const { ledger } = chain;
  now += 1_000;
  const head = ledger.head();
  const timestamp = ledger.rules.timestampAt(now);
  const context = ledger.contextAbove(
    ledger.rules.nextContext(head.header, { proposer: ZERO_ADDRESS, timestamp }),
  );
  reads = 0;
  const execution = ledger.execute(context, await ledger.worldAt(head));
  await execution.addAll(transactions);
  const executed = await execution.finish();
  const used = reads;
  const header = draftHeader({
    parentHash: head.hash,
    timestamp,
    block: context,
    fork: ledger.executor.rules(context),
    commitments: { ...executed, stateRoot: executed.changes.stateRoot },
  });
  const block: Block = { hash: ledger.rules.hashHeader(header), header, transactions: [...transactions] };
  await ledger.append(block, executed);
  return used;
}

describe('transactions accepted by the pool', () => {
  it('are executed after a restart with no more reads of the database than an empty block', async () => {
    await mine([call(WRITER)]);
    await reopen();
    // The account that the rules reward.
    const empty = await mine([]);
    await reopen();
    expect(await mine([call(WRITER)])).toBeGreaterThan(empty);
    await reopen();
    const warm = call(WRITER);
    await chain.pool.add(warm);
    await chain.warming.idle();
    expect(await mine([warm])).toBeLessThanOrEqual(empty);
    expect(await chain.ledger.verifyFromGenesis()).toBe(4);
  });

  it('leave no trace of their try in the state', async () => {
    const { ledger, pool, warming } = chain;
    const { stateRoot } = ledger.head().header;
    const tried = call(WRITER);
    await pool.add(tried);
    await warming.idle();
    expect(ledger.head().header.stateRoot).toBe(stateRoot);
    expect((await ledger.worldAt(ledger.head())).evm.changed).toEqual([]);
    await mine([tried]);
  });

  it('are given up when they take long, whatever gas they have', async () => {
    const endless = call(LOOP, 16_000_000n);
    await chain.pool.add(endless);
    await chain.warming.idle();
    await mine([endless]);
    expect((await chain.ledger.findReceipt(endless.hash))?.receipt.status).toBe(0);
  });

  it('are no longer tried after the stop', async () => {
    await reopen();
    await chain.warming.stop();
    const late = call(WRITER);
    await chain.pool.add(late);
    await chain.warming.idle();
    expect(await mine([late])).toBeGreaterThan(0);
  });
});
