import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tetrad/types';
import pg from 'pg';
import {
  DatabaseUrl,
  MissingRightError,
  grantRights,
  listPrismaFolders,
  migrateDeploy,
  openServiceDatabase,
  prismaFolder,
} from '../src/index.js';
import { newDatabase, stopServer } from './own-server.js';

let url: string;
/** The URL as the role of the service, which owns nothing. */
let serviceUrl: string;

async function run(as: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: as });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const as = (role: string) => {
  const changed = new URL(url);
  changed.username = role;
  return DatabaseUrl.parse(changed.href).withPassword(role).href;
};
const open = (service: string) =>
  openServiceDatabase({
    name: 'unused',
    dataDir: '/nowhere',
    url: serviceUrl,
    migrate: false,
    poolSize: 2,
    prismaFolder: prismaFolder(service),
    logger: silentLogger,
  });

beforeAll(async () => {
  url = await newDatabase();
  await run(
    url,
    "CREATE ROLE owner LOGIN PASSWORD 'owner'",
    "CREATE ROLE service LOGIN PASSWORD 'service'",
    `GRANT CREATE, CONNECT ON DATABASE ${new URL(url).pathname.slice(1)} TO owner WITH GRANT OPTION`,
    'ALTER SCHEMA public OWNER TO owner',
    'REVOKE ALL ON SCHEMA public FROM PUBLIC',
  );
  serviceUrl = as('service');
});
afterAll(stopServer);

describe('a service whose role owns nothing', () => {
  it('is refused without rights, by the names of right and table', async () => {
    await migrateDeploy(as('owner'), prismaFolder('wallet'));
    await expect(open('wallet')).rejects.toThrow(
      'the database role service lacks USAGE on schema public; the owner of the tables grants it with "migrate deploy SERVICE --grant-to ROLE"',
    );
    await run(as('owner'), 'GRANT USAGE ON SCHEMA public TO service');
    await expect(open('wallet')).rejects.toThrow(
      /^the database role service lacks SELECT on table _prisma_migrations/,
    );
  });

  it('may not apply migrations, which is one line for the operator', async () => {
    const fresh = new URL(await newDatabase());
    await run(
      fresh.href,
      'REVOKE ALL ON SCHEMA public FROM PUBLIC',
      'GRANT USAGE ON SCHEMA public TO service',
    );
    const migrating = openServiceDatabase({
      name: 'unused',
      dataDir: '/nowhere',
      migrate: true,
      poolSize: 2,
      logger: silentLogger,
      prismaFolder: prismaFolder('wallet'),
      url: serviceUrl.replace(/\/[^/]*$/, fresh.pathname),
    });
    await expect(migrating).rejects.toBeInstanceOf(MissingRightError);
    await expect(migrating).rejects.toThrow(
      'database, migrations: permission denied for schema public; the owner of the tables applies migrations',
    );
  });

  it('has with the grants what it needs: rows, not tables', async () => {
    await grantRights(as('owner'), 'service');
    const { database, close } = await open('wallet');
    await expect(database.pool.query('CREATE TABLE other ()')).rejects.toThrow(
      'permission denied for schema public',
    );
    await expect(database.pool.query('DROP TABLE wallet_key')).rejects.toThrow('must be owner');
    await expect(database.pool.query('DELETE FROM _prisma_migrations')).rejects.toThrow('permission denied');
    await close();
    await expect(migrateDeploy(serviceUrl, prismaFolder('wallet'))).resolves.toEqual([]);
  });

  it('names a right that was revoked', async () => {
    await run(as('owner'), 'REVOKE DELETE, UPDATE ON wallet_key FROM service');
    const failure = await open('wallet').catch((error: unknown) => error as Error);
    expect(failure).toBeInstanceOf(MissingRightError);
    expect(String(failure)).toContain('lacks DELETE on table wallet_key, UPDATE on table wallet_key;');
    await grantRights(as('owner'), 'service');
    await (await open('wallet')).close();
  });

  it('has the rights on tables and sequences of later migrations', async () => {
    await run(as('owner'), 'CREATE TABLE later (id bigserial PRIMARY KEY)');
    const { database, close } = await open('wallet');
    await expect(database.pool.query('INSERT INTO later DEFAULT VALUES')).resolves.toBeDefined();
    await close();
  });

  it('is granted to by the owner only, and must exist', async () => {
    await expect(grantRights(as('owner'), 'missing')).rejects.toThrow('the server has no role missing');
    await expect(grantRights(as('owner'), 'x'.repeat(64))).rejects.toThrow('63 bytes at most');
    await run(url, 'CREATE ROLE third');
    const refused = grantRights(serviceUrl, 'third');
    await expect(refused).rejects.toThrow(
      /service may not grant third DELETE on table .*; use the role that owns/,
    );
  });
});

describe('the command of the migration job', () => {
  const main = join(import.meta.dirname, '../dist/main.js');
  const job = (service: string, database: string, ...more: string[]) =>
    promisify(execFile)(process.execPath, [main, 'migrate', 'deploy', service, ...more], {
      env: { [`TETRAD_${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`]: database },
    });

  it('migrates as the owner and grants to the role, for each service', async () => {
    for (const service of await listPrismaFolders()) {
      const fresh = new URL(await newDatabase());
      const name = fresh.pathname.slice(1);
      await run(fresh.href, `ALTER DATABASE ${name} OWNER TO owner`, 'ALTER SCHEMA public OWNER TO owner');
      const database = as('owner').replace(/\/[^/]*$/, `/${name}`);
      const { stdout } = await job(service, database, '--grant-to', 'service');
      expect(stdout).toMatch(/^applied: .*\ngranted to service\n$/);
      serviceUrl = as('service').replace(/\/[^/]*$/, `/${name}`);
      await (await open(service)).close();
    }
  });

  it('says how it is used', async () => {
    for (const words of [['--grant-to'], ['--grant-to', 'a', 'b'], ['--grant', 'a']])
      await expect(job('wallet', url, ...words)).rejects.toThrow(
        /unknown command\n\nUsage [^]*--grant-to ROLE/,
      );
  });
});
