import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, createDatabase } from '@tetrad/db';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import type { Address } from '@tetrad/types';
import { LoadMaker, measureLoad } from '../load.js';
import { databaseCpu, processCpu } from '../process-cpu.js';
import { growthOf, readRelationSizes } from '../relation-sizes.js';
import { VALIDATOR_KEY, startOnChain, writeChain } from '../written-chain.js';

const BLOCKS = 10_000;
/** As many compile the code before anything is measured. */
const WARM_UP = 5_000;
const TRANSACTIONS = 20_000;
/** Recipients lie this far from each other: no two neighbours share a leaf of the trie that was read before. */
const STRIDE = 7_919;

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
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-growth-'));
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  try {
    const url = await createDatabase(server.url('postgres'), 'growth');
    const genesisFile = join(folder, 'genesis.json');
    const added = { accounts, contracts: 0, slots: 0 };
    const chain = await writeChain(
      { folder, url, genesisFile },
      { ...added, blocks: Math.max(BLOCKS, accounts / 1_000), transactions: 0 },
    );
    const node = await startOnChain(chain, url, { name: 'node', key: VALIDATOR_KEY, flags: [] });
    const database = await connectDatabase({ url, poolSize: 1 });
    try {
      const maker = new LoadMaker(undefined, recipients(accounts));
      const load = (count: number) => measureLoad(node.url, maker.transfers(count), maker.reached());
      const cpuOf = async () => (await processCpu(node.process.pid)) + (await databaseCpu(folder));
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
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Accounts of the chain, as `large-chain.ts` numbers them. */
function recipients(accounts: number): readonly Address[] {
  return Array.from({ length: Math.min(accounts, WARM_UP + TRANSACTIONS) }, (_, index) => {
    const number = (index * STRIDE) % accounts;
    return `0xacc0${number.toString(16).padStart(36, '0')}` as Address;
  });
}
