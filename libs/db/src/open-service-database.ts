import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@tetrad/types';
import { connectDatabase, createDatabase, type Database } from './database.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
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
  await mkdir(dataDir, { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
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
  { poolSize, prismaFolder, logger }: ServiceDatabaseOptions,
  release: () => Promise<void>,
): Promise<ServiceDatabase> {
  const database = await connectDatabase({ url, poolSize, logger });
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
