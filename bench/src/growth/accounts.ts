import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, createDatabase, dropDatabase, withDatabaseName } from '@tetrad/db';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@tetrad/embedded-postgres';
import type { Address } from '@tetrad/types';
import { callRpc } from '../call-rpc.js';
import { LoadMaker, SENDERS, measureLoad } from '../load.js';
import { databaseCpu, processCpu } from '../process-cpu.js';
import { growthOf, readRelationSizes } from '../relation-sizes.js';
import { VALIDATOR_KEY, startOnChain, writeChain, type WrittenChain } from '../written-chain.js';

const BLOCKS = 10_000;
/** As many compile the code before anything is measured. */
const WARM_UP = 5_000;
const TRANSACTIONS = 20_000;
/** Recipients lie this far from each other: no two neighbours share a leaf of the trie that was read before. */
const STRIDE = 7_919;
const DATABASE = 'growth';
/** A folder whose written chains are kept, so that a later run need not write them again. */
const KEPT = process.env['TETRAD_BENCH_KEPT'];

/** What a transfer costs among so many accounts, each to another one. */
export interface AccountsPoint {
  readonly accounts: number;
  /** CPU time of the node and PostgreSQL. Units: ms */
  readonly cpu: number;
  readonly perSecond: number;
  /** That tables and indexes grow by. */
  readonly bytes: number;
}

/** A node of its own on a chain with the accounts, which were written straight into its tables. */
export async function measureAccounts(accounts: number): Promise<AccountsPoint> {
  process.stderr.write(`  ${accounts} accounts\n`);
  const folder =
    KEPT === undefined
      ? await mkdtemp(join(tmpdir(), 'tetrad-bench-growth-'))
      : join(KEPT, `accounts-${accounts}`);
  await mkdir(folder, { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  try {
    return await measureOnChain(await chainIn(folder, server, accounts), accounts);
  } finally {
    await server.stop();
    if (KEPT === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function chainIn(folder: string, server: EmbeddedPostgres, accounts: number): Promise<WrittenChain> {
  const maintenance = server.url('postgres');
  const chain = {
    folder,
    url: withDatabaseName(maintenance, DATABASE),
    genesisFile: join(folder, 'genesis.json'),
  };
  const done = join(folder, 'written');
  if (existsSync(done)) return chain;
  await dropDatabase(maintenance, DATABASE);
  await createDatabase(maintenance, DATABASE);
  await writeChain(chain, { accounts, contracts: 0, slots: 0, blocks: BLOCKS, transactions: 0 });
  await writeFile(done, '');
  return chain;
}

async function measureOnChain(chain: WrittenChain, accounts: number): Promise<AccountsPoint> {
  const node = await startOnChain(chain, chain.url, { name: 'node', key: VALIDATOR_KEY, flags: [] });
  const database = await connectDatabase({ url: chain.url, poolSize: 1 });
  try {
    const maker = new LoadMaker(await noncesOn(node.url), recipients(accounts));
    const load = (count: number) => measureLoad(node.url, maker.transfers(count), maker.reached());
    const cpuOf = async () => (await processCpu(node.process.pid)) + (await databaseCpu(chain.folder));
    await load(WARM_UP);
    const [sizes, before] = [await readRelationSizes(database), await cpuOf()];
    const { transactionsPerSecond } = await load(TRANSACTIONS);
    const cpu = (await cpuOf()) - before;
    const grown = growthOf(sizes, await readRelationSizes(database));
    const bytes = grown.reduce((sum, [, one]) => sum + one, 0) / TRANSACTIONS;
    return { accounts, cpu: (cpu * 1_000) / TRANSACTIONS, perSecond: transactionsPerSecond, bytes };
  } finally {
    await database.close();
    await node.process.stop();
  }
}

/** Those after the transfers of earlier runs on a chain that was kept. */
function noncesOn(url: string): Promise<readonly number[]> {
  return Promise.all(
    SENDERS.map(async ({ address }) =>
      Number(await callRpc(url, 'eth_getTransactionCount', [address, 'latest'])),
    ),
  );
}

/** Accounts of the chain, as `large-chain.ts` numbers them. */
function recipients(accounts: number): readonly Address[] {
  return Array.from({ length: Math.min(accounts, WARM_UP + TRANSACTIONS) }, (_, index) => {
    const number = (index * STRIDE) % accounts;
    return `0xacc0${number.toString(16).padStart(36, '0')}` as Address;
  });
}
