import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkSchema,
  connectDatabase,
  createDatabase,
  migrateDeploy,
  startEmbeddedPostgres,
  type Database,
} from '@tetrad/db';
import { NODE_PRISMA_FOLDER } from '@tetrad/node-store';
import { databaseUrlOf } from '@tetrad/service';
import type { Logger } from '@tetrad/types';
import type { NodeConfig } from './config.js';

/** The node's database, and how to let go of it. */
export interface OpenDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

const DATABASE_NAME = 'tetrad_node';

/**
 * Opens the database of the options, or an embedded one in the data folder.
 *
 * Fails: OperatorError when it cannot be reached, or its schema is not the one this version knows
 */
export async function openDatabase(config: NodeConfig, logger: Logger): Promise<OpenDatabase> {
  const external = databaseUrlOf(config);
  if (external !== undefined) {
    if (config.migrate) await migrate(external, logger);
    return connect(external, { config, logger, release: async () => undefined });
  }
  await mkdir(config.dataDir, { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir: join(config.dataDir, 'postgres') });
  try {
    const url = await createDatabase(server.url('postgres'), DATABASE_NAME);
    await migrate(url, logger);
    return await connect(url, { config, logger, release: () => server.stop() });
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function migrate(url: string, logger: Logger): Promise<void> {
  const applied = await migrateDeploy(url, NODE_PRISMA_FOLDER);
  if (applied.length > 0) logger.info('database migrated', { applied });
}

async function connect(
  url: string,
  { config, logger, release }: { config: NodeConfig; logger: Logger; release: () => Promise<void> },
): Promise<OpenDatabase> {
  const database = await connectDatabase({ url, poolSize: config.databasePoolSize, logger });
  try {
    await checkSchema(database, NODE_PRISMA_FOLDER);
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
