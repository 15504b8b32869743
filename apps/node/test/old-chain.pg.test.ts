import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { connectDatabase, listMigrations, prismaFolder } from '@tetrad/db';
import { createMetrics, loadConfig, parseCommandLine } from '@tetrad/service';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { composeNode } from '../src/compose.js';
import { nodeOptions } from '../src/options/config.js';
import { verifyNode } from '../src/commands/verify-node.js';
import { post } from './running-node.js';

/** A chain that an earlier release made, and the migrations that this release had. Source: ../vectors/ORIGIN.md */
const CHAIN = join(import.meta.dirname, '../vectors/chain-2026-11-22');
const MIGRATIONS = 3;
const HEAD = {
  number: 63,
  hash: '0x45706e7aa72f52e31a33d70cc9b787d9b7115acf212d8488fa6679b2271be772',
  stateRoot: '0x61da0aa06bf55008bf345bb620b7fdb51fde33706044358812e4aec869a5b3f0',
};
const TRANSACTIONS = 143;

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-old-chain-'));
  await writeFile(join(folder, 'nodekey'), '42'.repeat(32));
  database = await createTestDatabase();
  await query(gunzipSync(await readFile(`${CHAIN}.sql.gz`)).toString('utf8'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function query(text: string): Promise<readonly Record<string, unknown>[]> {
  const { pool, close } = await connectDatabase({ url: database.url });
  try {
    return (await pool.query<Record<string, unknown>>(text)).rows;
  } finally {
    await close();
  }
}

const environment = {
  name: 'node',
  version: '0.0.0',
  logger: silentLogger,
  tracing: undefined,
  metrics: createMetrics({ service: 'node', version: '0.0.0' }),
};

function config(...more: readonly string[]) {
  const flags = [
    '--data-dir',
    folder,
    '--genesis-file',
    `${CHAIN}.genesis.json`,
    '--node-key-file',
    `${folder}/nodekey`,
    '--http-listen-port',
    '0',
    '--ops-listen-port',
    '0',
    '--peer-listen-port',
    '0',
    ...more,
  ];
  return loadConfig({
    service: 'node',
    options: nodeOptions,
    commandLine: parseCommandLine(flags, nodeOptions),
    environment: { TETRAD_NODE_DATABASE_URL: database.url },
  });
}

/** Numbers of the blocks, in ascending order, with their transactions counted. */
async function countTransactions(url: string): Promise<number> {
  let count = 0;
  for (let number = 1; number <= HEAD.number; number++) {
    const { result } = await post(url, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
    count += (result as { transactions: string[] }).transactions.length;
  }
  return count;
}

describe('a chain that an earlier release made', () => {
  it('is refused without the option for migrations, and is not changed', async () => {
    await expect(composeNode(config(), environment)).rejects.toThrow(
      'the database schema is older than this version',
    );
    expect(await query('SELECT FROM _prisma_migrations')).toHaveLength(MIGRATIONS);
  });

  it('has the same roots when every block is executed again from genesis', async () => {
    const { number: blocks, hash: head, stateRoot } = HEAD;
    expect(await verifyNode(config('--migrate'), environment)).toMatchObject({ blocks, head, stateRoot });
    const all = await listMigrations(prismaFolder('node'));
    expect(all.length).toBeGreaterThan(MIGRATIONS);
    expect(await query('SELECT FROM _prisma_migrations WHERE finished_at IS NOT NULL')).toHaveLength(
      all.length,
    );
  });

  it('opens, answers as before, and continues', async () => {
    const node = await composeNode(config(), environment);
    try {
      const { result: block } = await post(node.url, 'eth_getBlockByNumber', ['0x3f', false]);
      expect(block).toMatchObject({ hash: HEAD.hash, stateRoot: HEAD.stateRoot });
      expect(await countTransactions(node.url)).toBe(TRANSACTIONS);
      await until(async () => Number((await post(node.url, 'eth_blockNumber', [])).result) > HEAD.number + 1);
      const { result: next } = await post(node.url, 'eth_getBlockByNumber', ['0x40', false]);
      expect(next).toMatchObject({ parentHash: HEAD.hash, stateRoot: HEAD.stateRoot });
    } finally {
      await node.stop();
    }
  });
});
