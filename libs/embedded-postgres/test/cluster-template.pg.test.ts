import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/index.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-template-'));
  process.env['TETRAD_CLUSTER_TEMPLATE'] = join(folder, 'template');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A new cluster, stopped again after `work` on it. */
async function withCluster<T>(name: string, work: (url: URL) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, name) });
  try {
    return await work(new URL(server.url('postgres')));
  } finally {
    await server.stop();
  }
}

async function query(url: URL, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const SETTINGS = `SELECT rolname, rolsuper, datcollate, pg_encoding_to_char(encoding) AS encoding
                    FROM pg_roles, pg_database WHERE rolname = 'tetrad' AND datname = 'postgres'`;

describe('clusters that are copied from a template', () => {
  it('are as those of initdb, with a password each', async () => {
    const [first, second] = await Promise.all(
      ['a', 'b'].map((name) =>
        withCluster(name, async (url) => {
          await query(url, `CREATE TABLE of_${name} ()`);
          return { password: url.password, rows: await query(url, SETTINGS) };
        }),
      ),
    );
    delete process.env['TETRAD_CLUSTER_TEMPLATE'];
    const made = await withCluster('c', (url) => query(url, SETTINGS));
    expect([first?.rows, second?.rows]).toEqual([made, made]);
    expect(first?.password).not.toBe(second?.password);
    expect((await readdir(folder)).sort()).toEqual(['a', 'b', 'c', 'template']);
  });

  it('refuse the password of another one', async () => {
    await withCluster('a', async () => undefined);
    const other = (await readFile(join(folder, 'a', 'password'), 'utf8')).trim();
    await withCluster('b', async (url) => {
      url.password = other;
      await expect(query(url, 'SELECT 1')).rejects.toThrow('password authentication failed');
    });
  });

  it('name what is wrong with the template', async () => {
    await withCluster('a', async () => undefined);
    await rm(join(folder, 'template', 'global'), { recursive: true });
    await expect(withCluster('b', async () => undefined)).rejects.toThrow(
      /^embedded PostgreSQL: a password failed: /,
    );
  });
});
