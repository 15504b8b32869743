import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  connectDatabase,
  createDatabase,
  dropDatabase,
  listMigrations,
  migrateDeploy,
  prismaFolder,
} from '@tetrad/db';
import { testServerUrl } from './database-server.js';

export interface TestDatabase {
  readonly url: string;
  /** Removes it and ends its connections. */
  drop(): Promise<void>;
}

/** Serialises the making of templates by test processes on one server. */
const TEMPLATE_LOCK = 7_370_103;

let serverUrl: Promise<string> | undefined;

/**
 * A new database with the deployed migrations of the service, or an empty one when no service is named.
 *
 * Cost: a copy of a template (some 50 ms); the first call of a run also starts the server and creates the template
 */
export async function createTestDatabase(service?: string): Promise<TestDatabase> {
  serverUrl ??= testServerUrl();
  const server = await serverUrl;
  const template = service === undefined ? undefined : await ensureTemplate(server, service);
  const name = `tetrad_test_${randomBytes(8).toString('hex')}`;
  const url = await createDatabase(server, name, template);
  return { url, drop: () => dropDatabase(server, name) };
}

/** The template of the service at its present migrations; created under another name, so that an incomplete one is never seen. */
async function ensureTemplate(server: string, service: string): Promise<string> {
  const folder = prismaFolder(service);
  const name = `tetrad_template_${service}_${await hashMigrations(folder)}`;
  const draft = `${name}_draft`;
  const admin = await connectDatabase({ url: server, poolSize: 1 });
  try {
    await admin.transaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [TEMPLATE_LOCK]);
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      if (rowCount !== 0) return;
      await dropDatabase(server, draft);
      await migrateDeploy(await createDatabase(server, draft), folder);
      await client.query(
        `ALTER DATABASE ${client.escapeIdentifier(draft)} RENAME TO ${client.escapeIdentifier(name)}`,
      );
    });
  } finally {
    await admin.close();
  }
  return name;
}

async function hashMigrations(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of await listMigrations(folder)) {
    hash.update(name).update(await readFile(join(folder, 'migrations', name, 'migration.sql')));
  }
  return hash.digest('hex').slice(0, 16);
}
