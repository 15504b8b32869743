import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import {
  createExecutor,
  decodeTransaction,
  defaultGenesis,
  findAccount,
  parseGenesis,
  readSlot,
} from '@tetrad/node-execution';
import { openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import { createTestDatabase, developmentAccounts, type TestDatabase } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import {
  ZERO_ADDRESS,
  bytesFromHex,
  scalarFromBytes,
  silentLogger,
  silentMetrics,
  systemClock,
  type Block,
  type SignedTransaction,
} from '@tetrad/types';
import { HeaderVerifier, draftHeader, openLedger, type Ledger } from '../src/index.js';
import { COINBASE, MintedRules, REWARD, type Minted } from './minted-rules.js';

const CHAIN_ID = 1337;
const [OWNER] = developmentAccounts(1, 'owner');
if (OWNER === undefined) throw new Error('no account');

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
});

interface Chain {
  readonly database: Database;
  readonly store: LedgerStore;
  readonly ledger: Ledger<Minted>;
}

const databases: TestDatabase[] = [];
const chains: Chain[] = [];
let now: number;
beforeEach(() => {
  now = 1_600_000_000_000;
});
afterEach(async () => {
  for (const chain of chains.splice(0)) await close(chain);
  for (const database of databases.splice(0)) await database.drop();
});

async function open(url?: string): Promise<Chain> {
  const fresh = url === undefined ? await createTestDatabase('node') : undefined;
  if (fresh !== undefined) databases.push(fresh);
  const database = await connectDatabase({ url: url ?? fresh?.url ?? '' });
  const store = await openLedgerStore(database);
  const rules = await MintedRules.open(database);
  const ledger = await openLedger({
    genesis,
    rules,
    store,
    executor: createExecutor(genesis),
    clock: { ...systemClock, now: () => now },
    logger: silentLogger,
    metrics: silentMetrics,
  });
  const chain = { database, store, ledger };
  chains.push(chain);
  return chain;
}

async function close({ store, database }: Chain): Promise<void> {
  await store.close();
  await database.close();
}

/** Creates a contract whose storage slot 0 is COINBASE and slot 1 TIMESTAMP. */
function creation(nonce: number): SignedTransaction {
  const raw = signTransaction(
    {
      chainId: BigInt(CHAIN_ID),
      nonce: BigInt(nonce),
      gasLimit: 200_000n,
      value: 0n,
      // COINBASE PUSH0 SSTORE TIMESTAMP PUSH1 1 SSTORE
      data: bytesFromHex('0x415f5542600155'),
      fees: { type: 'legacy', gasPrice: 0n },
    },
    OWNER?.privateKey ?? new Uint8Array(32),
  );
  return decodeTransaction(raw, BigInt(CHAIN_ID));
}

/** A block on top of the head, a second later than the last. */
async function mint({ ledger }: Chain, transactions: readonly SignedTransaction[] = []): Promise<Block> {
  now += 1_000;
  const head = ledger.head();
  // Odd nanoseconds, which a number would lose.
  const timestamp = ledger.rules.timestampAt(now) + 1n;
  const context = ledger.contextAbove(
    ledger.rules.nextContext(head.header, { proposer: ZERO_ADDRESS, timestamp }),
  );
  const execution = ledger.execute(context, await ledger.worldAt(head));
  await execution.addAll(transactions);
  const executed = await execution.finish();
  const header = draftHeader({
    parentHash: head.hash,
    timestamp,
    block: context,
    fork: ledger.executor.rules(context),
    commitments: { ...executed, stateRoot: executed.changes.stateRoot },
  });
  return { hash: ledger.rules.hashHeader(header), header, transactions: [...transactions] };
}

const rowsOf = async ({ database }: Chain) =>
  (await database.pool.query<{ block: string }>('SELECT block FROM minted ORDER BY block')).rows.map(
    ({ block }) => Number(block),
  );

async function grow(chain: Chain, blocks: number): Promise<void> {
  for (let nonce = 0; nonce < blocks; nonce++)
    await chain.ledger.importBlock(await mint(chain, [creation(nonce)]));
}

describe('a ledger under rules that know no validators', () => {
  it('grows, resumes after a restart, and is reproduced by re-execution', async () => {
    const chain = await open();
    await grow(chain, 3);
    const { hash } = chain.ledger.head();
    expect(await rowsOf(chain)).toEqual([0, 1, 2, 3]);
    await close(chains.pop() as Chain);
    const again = await open(databases[0]?.url);
    expect(again.ledger.head().hash).toBe(hash);
    expect(again.ledger.snapshot()).toEqual({ blocks: 3 });
    expect(await again.ledger.snapshotAt(1)).toEqual({ blocks: 1 });
    await expect(again.ledger.snapshotAt(9)).rejects.toThrow('unknown block');
    expect(await again.ledger.verifyFromGenesis()).toBe(3);
    await again.database.pool.query('INSERT INTO minted (block) VALUES (4)');
    // The row of a block that there is not is in the way of the block.
    await expect(again.ledger.importBlock(await mint(again))).rejects.toThrow('minted_pkey');
    expect(again.ledger.head().hash).toBe(hash);
  });

  it('has the difficulty, reward, COINBASE and times of the rules', async () => {
    const chain = await open();
    await grow(chain, 2);
    const { ledger } = chain;
    expect(ledger.totalDifficulty(2)).toBe(genesis.difficulty + 2n * 131_072n);
    const world = await ledger.worldAt(ledger.head());
    expect((await findAccount(world, ZERO_ADDRESS))?.balance).toBe(2n * REWARD);
    const created = await ledger.findReceipt(creation(1).hash);
    const slot = async (index: number) => {
      const key = new Uint8Array(32).fill(index, 31);
      const contract = created?.receipt.contractAddress ?? ZERO_ADDRESS;
      return scalarFromBytes(await readSlot(world, contract, key));
    };
    expect(await slot(0)).toBe(BigInt(COINBASE));
    // As the header has it, to the last nanosecond.
    expect(await slot(1)).toBe(ledger.head().header.timestamp);
    expect(ledger.head().header.timestamp).toBe(BigInt(now) * 1_000_000n + 1n);
    expect(ledger.aheadMs(ledger.head())).toBe(0);
    const early = { ...ledger.head().header, timestamp: ledger.rules.timestampAt(now + 700) };
    expect(ledger.aheadMs({ hash: ledger.head().hash, header: early })).toBe(700);
  });

  it('refuses a header by the rules, and then stores nothing', async () => {
    const chain = await open();
    const { ledger } = chain;
    const block = await mint(chain);
    const changed = (change: Partial<Block['header']>): Block => {
      const header = { ...block.header, ...change };
      return { ...block, header, hash: ledger.rules.hashHeader(header) };
    };
    const refused: [Block, string][] = [
      [{ ...block, hash: changed({ gasUsed: 7n }).hash }, 'invalid block hash'],
      [changed({ timestamp: ledger.rules.timestampAt(now + 60_000) }), 'minted too early'],
      [changed({ timestamp: 0n }), 'not later'],
      [changed({ parentHash: block.hash }), 'non-extending'],
      [changed({ baseFeePerGas: 1n }), 'invalid fork fields'],
      [changed({ stateRoot: block.hash }), 'invalid merkle root'],
    ];
    for (const [one, text] of refused) await expect(ledger.importBlock(one)).rejects.toThrow(text);
    expect(await rowsOf(chain)).toEqual([0]);
    await ledger.importBlock(block);
    expect(await rowsOf(chain)).toEqual([0, 1]);
  });

  it('checks headers ahead of the chain, each by the snapshot that follows from those before', async () => {
    const [source, copy] = [await open(), await open()];
    const start = copy.ledger.head();
    await grow(source, 3);
    const blocks = await Promise.all(
      [1, 2, 3].map(async (number) => (await source.ledger.findBlock(number)) as Block),
    );
    const headers = new HeaderVerifier(copy.ledger);
    expect(await headers.verify(blocks.slice(0, 2), start)).toBeUndefined();
    expect(await headers.verify(blocks.slice(2), blocks[1] ?? start)).toBeUndefined();
    expect(await headers.verify(blocks.slice(1), start)).toBe('non-extending');
    for (const block of blocks) await copy.ledger.importBlock(block);
    expect(copy.ledger.head().hash).toBe(source.ledger.head().hash);
  });
});
