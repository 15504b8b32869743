import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase } from '@tetrad/db';
import { DatabaseUrl } from '@tetrad/db/database-url';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { runTetrad } from './tetrad-process.js';

let folder: string;
let server: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-databases-'));
  server = await createTestDatabase('new-network');
});
afterAll(async () => {
  await server.drop();
  await rm(folder, { recursive: true, force: true });
});

const read = (name: string) => readFile(join(folder, 'net', name), 'utf8');

async function query(url: string, statement: string): Promise<readonly unknown[]> {
  const database = await connectDatabase({ url, poolSize: 1 });
  try {
    return (await database.pool.query(statement)).rows;
  } finally {
    await database.close();
  }
}

/** What a service reads of its database: the URL of its file, with the password of the other file. */
async function urlOf(config: string): Promise<string> {
  const toml = await read(config);
  expect(toml).toMatch(/^migrate = true$/m);
  const valueOf = (key: string) => new RegExp(`^${key} = "(.*)"$`, 'm').exec(toml)?.[1] ?? '';
  const password = await read(join(config, '..', valueOf('database-password-file')));
  return DatabaseUrl.parse(valueOf('database-url')).withPassword(password.trim()).href;
}

it('network new --database-url gives each service a database and a role, which databases.sql creates', async () => {
  const { hostname, port } = new URL(server.url);
  const url = `postgresql://${hostname}:${port}/?connect_timeout=25`;
  const made = await runTetrad([
    'network',
    'new',
    '--dir',
    join(folder, 'net'),
    '--validators',
    '1',
    '--database-url',
    url,
  ]);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('psql --file databases.sql') });
  for (const file of ['databases.sql', 'node0/database-password', 'node0/manager-database-password'])
    expect((await stat(join(folder, 'net', file))).mode & 0o777).toBe(0o600);
  const statements = (await read('databases.sql')).split('\n').filter((line) => line.endsWith(';'));
  for (const statement of statements) await query(server.url, statement);
  try {
    const services = [
      ['node0/node.toml', 'tetrad_node0'],
      ['node0/manager.toml', 'tetrad_manager0'],
    ] as const;
    for (const [config, name] of services) {
      const own = await urlOf(config);
      expect(new URL(own).searchParams.get('connect_timeout')).toBe('25');
      const rows = await query(own, 'SELECT current_user, current_database()');
      expect(rows).toEqual([{ current_user: name, current_database: name }]);
      const other = own.replace(`/${name}?`, `/${services.find(([, one]) => one !== name)?.[1]}?`);
      await expect(query(other, 'SELECT')).rejects.toThrow('permission denied');
    }
  } finally {
    for (const name of ['tetrad_node0', 'tetrad_manager0']) {
      await query(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
      await query(server.url, `DROP ROLE ${name}`);
    }
  }
});
