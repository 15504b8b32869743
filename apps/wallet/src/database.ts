import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  checkSchema,
  connectDatabase,
  createDatabase,
  findRunningPostgres,
  migrateDeploy,
  startEmbeddedPostgres,
  type Database,
} from '@tetrad/db';
import { databaseUrlOf } from '@tetrad/service';
import type { Logger } from '@tetrad/types';
import { WALLET_PRISMA_FOLDER } from '@tetrad/wallet-store';
import type { StorageConfig } from './config.js';

/** The wallet's database, and how to let go of it. */
export interface OpenDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

const DATABASE_NAME = 'tetrad_wallet';

/**
 * Opens the database of the options, or an embedded one in the data folder.
 *
 * In:    share — use the embedded server that a running service has on the folder, as commands beside it do
 * Fails: OperatorError when it cannot be reached, or its schema is not the one this version knows
 */
export async function openDatabase(
  config: StorageConfig,
  logger: Logger,
  { share }: { readonly share: boolean },
): Promise<OpenDatabase> {
  const external = databaseUrlOf(config);
  if (external !== undefined) {
    if (config.migrate) await migrate(external, logger);
    return connect(external, { config, logger, release: async () => undefined });
  }
  const dataDir = join(resolve(config.dataDir), 'postgres');
  const running = share ? await findRunningPostgres(dataDir) : undefined;
  if (running !== undefined) {
    return connect(running(DATABASE_NAME), { config, logger, release: async () => undefined });
  }
  await mkdir(dataDir, { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir });
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
  const applied = await migrateDeploy(url, WALLET_PRISMA_FOLDER);
  if (applied.length > 0) logger.info('database migrated', { applied });
}

async function connect(
  url: string,
  { config, logger, release }: { config: StorageConfig; logger: Logger; release: () => Promise<void> },
): Promise<OpenDatabase> {
  const database = await connectDatabase({ url, poolSize: config.databasePoolSize, logger });
  try {
    await checkSchema(database, WALLET_PRISMA_FOLDER);
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
