import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, createDatabase, listMigrations, migrateDeploy, prismaFolder } from '@tetrad/db';
import { freePort, testServerUrl, until } from '@tetrad/testkit';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** What `npx prisma` runs. */
const PRISMA = join(ROOT, 'node_modules/.bin/prisma');
const TARGETS = join(ROOT, 'libs/schema/dist/main.js');

let folder: string;
let empty: string;
let deployed: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-prisma-commands-'));
  const server = await testServerUrl();
  const create = () => createDatabase(server, `test_${randomBytes(8).toString('hex')}`);
  [empty, deployed] = [await create(), await create()];
  await migrateDeploy(deployed, prismaFolder('wallet'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(program: string, words: readonly string[], variables: NodeJS.ProcessEnv): ChildProcess {
  const environment = { ...process.env, DATABASE_URL: undefined, TETRAD_SERVICE: undefined };
  return spawn(process.execPath, [program, ...words], {
    cwd: ROOT,
    env: { ...environment, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: 'true', ...variables },
    stdio: 'pipe',
  });
}

async function run(
  program: string,
  words: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const child = start(program, words, variables);
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  return { code: await ended, stdout, stderr };
}

const prisma = (words: string, DATABASE_URL?: string) =>
  run(PRISMA, words.split(' '), { TETRAD_SERVICE: 'wallet', ...(DATABASE_URL && { DATABASE_URL }) });

/** Names of the databases of the server, and the number of tables in this one. */
async function inspect(url: string): Promise<{ databases: string[]; tables: number }> {
  const { pool, close } = await connectDatabase({ url, poolSize: 1 });
  try {
    const { rows } = await pool.query<{ datname: string }>('SELECT datname FROM pg_database');
    const tables = await pool.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`);
    return { databases: rows.map(({ datname }) => datname), tables: tables.rows.length };
  } finally {
    await close();
  }
}

describe('the command line of Prisma', () => {
  it('names the services when none is named', async () => {
    const { code, stderr } = await run(PRISMA, ['validate']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /TETRAD_SERVICE: .* one of node, rollup-operator, signer, transaction-manager, wallet/,
    );
  });

  it('validates a schema and its format', async () => {
    expect(await prisma('validate')).toMatchObject({ code: 0, stdout: expect.stringContaining('are valid') });
    expect(await prisma('format --check')).toMatchObject({ code: 0 });
  });

  it('says which migrations a database has, and which it lacks', async () => {
    expect(await prisma('migrate status', deployed)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Database schema is up to date!'),
    });
    const { code, stdout } = await prisma('migrate status', empty);
    expect(code).toBe(1);
    for (const name of await listMigrations(prismaFolder('wallet'))) expect(stdout).toContain(name);
  });

  it('says why it cannot connect', async () => {
    const lost = new URL(empty);
    lost.pathname = '/nothing_here';
    const { code, stderr } = await prisma('migrate status', lost.href);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('P1003: database "nothing_here"'),
    });
  });

  it('shows what differs, and replays migrations in a database of its own', async () => {
    const compared = await prisma(
      'migrate diff --from-migrations prisma/wallet/migrations --to-schema prisma/wallet --exit-code',
      empty,
    );
    expect(compared).toMatchObject({ code: 0, stdout: expect.stringContaining('No difference detected.') });
    const { tables, databases } = await inspect(empty);
    expect(tables).toBe(0);
    expect(databases.filter((name) => name.includes('shadow'))).toEqual([]);
    const behind = await prisma(
      'migrate diff --from-config-datasource --to-schema prisma/wallet --script --exit-code',
      empty,
    );
    expect(behind).toMatchObject({ code: 2, stdout: expect.stringContaining('CREATE TABLE "wallet_key"') });
  });

  it('shows rows in the studio', async () => {
    const port = await freePort();
    const words = ['studio', '--browser', 'none', '--port', String(port)];
    const child = start(PRISMA, words, { TETRAD_SERVICE: 'wallet', DATABASE_URL: deployed });
    try {
      const ask = () =>
        fetch(`http://127.0.0.1:${port}/bff`, {
          method: 'POST',
          body: JSON.stringify({
            procedure: 'query',
            query: { sql: 'SELECT count(*)::int AS applied FROM _prisma_migrations', parameters: [] },
          }),
        });
      await until(() =>
        ask().then(
          (answer) => answer.ok,
          () => false,
        ),
      );
      const { length } = await listMigrations(prismaFolder('wallet'));
      expect(await (await ask()).json()).toEqual([null, [{ applied: length }]]);
    } finally {
      child.kill();
    }
  });
});

describe('the targets', () => {
  it('validate and format the schema of a service by its name', async () => {
    expect(await run(TARGETS, ['validate', 'signer'])).toMatchObject({ code: 0 });
    expect(await run(TARGETS, ['format', 'signer', '--check'])).toMatchObject({ code: 0 });
    expect(await run(TARGETS, ['validate', 'nothing'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no schema for nothing; there are node,'),
    });
  });

  it('take the database and its password where the service takes them', async () => {
    const url = new URL(deployed);
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, url.password);
    url.password = '';
    const variables = {
      TETRAD_WALLET_DATABASE_URL: url.href,
      TETRAD_WALLET_DATABASE_PASSWORD_FILE: passwordFile,
    };
    expect(await run(TARGETS, ['status', 'wallet'], variables)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('up to date'),
    });
    expect(await run(TARGETS, ['status', 'wallet'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('TETRAD_WALLET_DATABASE_URL is not set'),
    });
  });
});
