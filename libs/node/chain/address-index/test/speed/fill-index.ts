import { writeFile } from 'node:fs/promises';
import { connectDatabase, createDatabase, migrateDeploy, prismaFolder } from '@tetrad/db';
import { openLedgerStore } from '@tetrad/node-store';
import { seededRandom } from '@tetrad/testkit';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { AddressIndexing, type AddressIndexingOptions } from '../../src/index.js';
import { transferChain } from '../transfer-chain.js';

/** What filling the index took. */
interface Filled {
  readonly transactions: number;
  /** Of the table, with its key, as it was filled. */
  readonly bytes: number;
  /** CPU of this process: of the index, and of making its blocks, which is little. Units: seconds */
  readonly cpu: number;
}

/** The tables of the index. */
const TABLES = ['address_row'];

/**
 * Fills the index of transfers between accounts that are drawn at random, as at the first start with `--address-index`.
 *
 * `fill-index.js SERVER_URL REPORT BLOCKS OF_BLOCK ACCOUNTS`
 */
async function fillIndex([serverUrl = '', report = '', ...numbers]: readonly string[]): Promise<void> {
  const [blocks = 0, ofBlock = 0, accounts = 0] = numbers.map(Number);
  const url = await createDatabase(serverUrl, `index_${blocks}_${accounts}_${Date.now()}`);
  await migrateDeploy(url, prismaFolder('node'));
  const database = await connectDatabase({ url });
  const store = await openLedgerStore(database);
  const chain = transferChain({ blocks, accounts, ofBlock, random: seededRandom(blocks) });
  const before = process.cpuUsage();
  const indexing = await AddressIndexing.start({
    ...(chain as unknown as Pick<AddressIndexingOptions, 'ledger' | 'receipts' | 'privacy'>),
    store: store.addressIndex,
    privateState: undefined,
    isImporting: () => false,
    isDatabaseUnavailable: () => false,
    logger: silentLogger,
    metrics: silentMetrics,
  });
  while (!(await indexing.reaches(blocks, 60_000)));
  const { user, system } = process.cpuUsage(before);
  await indexing.close();
  const { rows } = await database.pool.query<{ bytes: number }>(
    `SELECT sum(pg_total_relation_size(name::regclass))::float8 AS bytes FROM unnest($1::text[]) AS name`,
    [TABLES],
  );
  await store.close();
  await database.close();
  const filled: Filled = {
    transactions: blocks * ofBlock,
    bytes: rows[0]?.bytes ?? 0,
    cpu: (user + system) / 1e6,
  };
  await writeFile(report, JSON.stringify(filled));
}

await fillIndex(process.argv.slice(2));
