import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics, type Metrics } from '@tetrad/types';
import { openServiceDatabase, prismaFolder, recordBackupEvent, type ServiceDatabase } from '../src/index.js';
import { newDatabase, stopServer } from './own-server.js';

const values = new Map<string, number>();
const reads: (() => Promise<void> | void)[] = [];
const metrics: Metrics = {
  ...silentMetrics,
  gauge: (name) => ({
    set: (value, labels = {}) => void values.set([name, ...Object.values(labels)].join(' '), value),
  }),
  onScrape: (read) => void reads.push(read),
};

/** The gauges after a scrape, without the beginning that all names have. */
async function scrape(): Promise<Record<string, number>> {
  for (const read of reads) await read();
  return Object.fromEntries([...values].map(([name, value]) => [name.replace('tetrad_', ''), value]));
}

/** Runs the job of the image on the database. */
const job = (...words: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, '../dist/main.js'), ...words], {
    env: { ...process.env, NODE_OPTIONS: '', TETRAD_WALLET_DATABASE_URL: url },
  });

let url: string;
let opened: ServiceDatabase;
beforeAll(async () => {
  url = await newDatabase();
  opened = await openServiceDatabase({
    name: 'wallet',
    dataDir: '',
    url,
    migrate: true,
    poolSize: 2,
    prismaFolder: prismaFolder('wallet'),
    logger: silentLogger,
    metrics,
  });
});
afterAll(async () => {
  await opened.close();
  await stopServer();
});

describe('metrics of a database', () => {
  it('show the connections in use, and the requests that wait for one', async () => {
    const { pool } = opened.database;
    expect(await scrape()).toMatchObject({ database_available: 1, database_connections_max: 2 });
    const clients = [await pool.connect(), await pool.connect()];
    const waiting = pool.query('SELECT 1');
    // The reads that ask the server would wait too.
    await reads[0]?.();
    expect(Object.fromEntries(values)).toMatchObject({
      'tetrad_database_connections used': 2,
      'tetrad_database_connections idle': 0,
      tetrad_database_waiting_requests: 1,
    });
    for (const client of clients) client.release();
    await waiting;
    expect(await scrape()).toMatchObject({ database_waiting_requests: 0 });
  });

  it('show the size that the server reports', async () => {
    const { rows } = await opened.database.pool.query<{ bytes: number }>(
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    const { database_size_bytes: bytes = 0 } = await scrape();
    expect(Math.abs(bytes - (rows[0]?.bytes ?? 0))).toBeLessThan(2 ** 20);
  });

  it('show when the newest backup was made and when one was verified, in whichever order they are recorded', async () => {
    const { pool } = opened.database;
    const never = { backup_last_timestamp_seconds: 0, backup_last_verification_timestamp_seconds: 0 };
    expect(await scrape()).toMatchObject(never);
    await recordBackupEvent(pool, 'backup', new Date(2_000_000));
    await recordBackupEvent(pool, 'backup', new Date(1_000_000));
    expect(await scrape()).toMatchObject({ ...never, backup_last_timestamp_seconds: 2_000 });
    const before = Date.now() / 1_000 - 60;
    expect((await job('record', 'verification', 'wallet')).stdout).toBe('recorded: verification\n');
    await expect(job('record', 'restoration', 'wallet')).rejects.toThrow('unknown command');
    const { backup_last_verification_timestamp_seconds: verified } = await scrape();
    expect(verified).toBeGreaterThan(before);
  });
});
