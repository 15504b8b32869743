import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@tetrad/types';
import { connectDatabase, createDatabase, type Database } from './database.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { findRunningPostgres } from './embedded/running-server.js';
import { checkSchema, migrateDeploy } from './migrations.js';

export interface ServiceDatabaseOptions {
  /** Name of the database in an embedded server. */
  readonly name: string;
  /** Folder of the schema and its migrations. */
  readonly prismaFolder: string;
  /** Connection URL; one is embedded in the data folder without it. */
  readonly url: string | undefined;
  readonly dataDir: string;
  /** Whether an external database gets missing migrations; an embedded one always does. */
  readonly migrate: boolean;
  readonly poolSize: number;
  /** See `DatabaseOptions.settings`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Use the embedded server that a running service has on the folder, as a command beside it does. */
  readonly share?: boolean;
  readonly logger: Logger;
}

/** A service's database, and how to let go of it. */
export interface ServiceDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

/**
 * Opens the database of a service.
 *
 * Fails: OperatorError when it cannot be reached, or its schema is not the one this version knows
 */
export async function openServiceDatabase(options: ServiceDatabaseOptions): Promise<ServiceDatabase> {
  const { url, dataDir, name } = options;
  if (url !== undefined) {
    if (options.migrate) await migrate(url, options);
    return connect(url, options, async () => undefined);
  }
  const folder = join(dataDir, 'postgres');
  const running = options.share === true ? await findRunningPostgres(folder) : undefined;
  if (running !== undefined) return connect(running(name), options, async () => undefined);
  await mkdir(dataDir, { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir: folder });
  try {
    const embedded = await createDatabase(server.url('postgres'), name);
    await migrate(embedded, options);
    return await connect(embedded, options, () => server.stop());
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function migrate(url: string, { prismaFolder, logger }: ServiceDatabaseOptions): Promise<void> {
  const applied = await migrateDeploy(url, prismaFolder);
  if (applied.length > 0) logger.info('database migrated', { applied });
}

async function connect(
  url: string,
  { poolSize, settings = {}, prismaFolder, logger }: ServiceDatabaseOptions,
  release: () => Promise<void>,
): Promise<ServiceDatabase> {
  const database = await connectDatabase({ url, poolSize, settings, logger });
  try {
    await checkSchema(database, prismaFolder);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    database,
    async close() {
      await database.close();
      await release();
    },
  };
}
