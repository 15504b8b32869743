import {
  silentMetrics,
  systemClock,
  type Clock,
  type Logger,
  type Metrics,
  type OperatorError,
} from '@tetrad/types';
import type pg from 'pg';
import { checkSchema } from './check-schema.js';
import { watchConnection } from './connection-watch.js';
import { connectDatabase, type Database } from './database.js';
import { measureAnswers, measureDatabase } from './measure-database.js';
import { migrateDeploy } from './migrate-deploy.js';
import { withRefusals } from './refusal.js';
import { refuseTransactionPooling } from './refuse-transaction-pooling.js';
import { checkRights } from './rights.js';
import { openEmbeddedDatabase, type EmbeddedDatabaseOptions } from './open-embedded-database.js';

export interface ServiceDatabaseOptions extends EmbeddedDatabaseOptions {
  /** Folder of the schema and its migrations. */
  readonly prismaFolder: string;
  /** Connection URL; one is embedded in the data folder without it. */
  readonly url: string | undefined;
  /** Whether an external database gets missing migrations; an embedded one always does. */
  readonly migrate: boolean;
  readonly poolSize: number;
  /** See `DatabaseOptions.settings`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logger: Logger;
  /** Shows the state of the database; commands have none. */
  readonly metrics?: Metrics | undefined;
  /**
   * Called when the database stays unavailable. Without it the error is thrown uncaught, which
   * ends the process with that line, and its supervisor starts it again.
   */
  readonly onLost?: (error: OperatorError) => void;
  /** Of the watch over the connections. */
  readonly clock?: Clock;
}

/** How long a database may be unavailable: a failover takes a minute or two. */
const LOST_AFTER_MS = 300_000;

/** For the answer to the simplest query, once it was sent; a host that is busy takes half of that at worst. */
const ANSWER_MS = 20_000;

/** A service's database, and how to close it. */
export interface ServiceDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

/**
 * Opens the database of a service.
 * @throws OperatorError when it cannot be reached, its schema is not the one this version knows, or it must not be
 *   created
 */
export async function openServiceDatabase(given: ServiceDatabaseOptions): Promise<ServiceDatabase> {
  const options = { ...given, onLost: given.onLost ?? throwUncaught };
  const { url, existing = false } = options;
  if (url !== undefined) {
    if (options.migrate && !existing) await migrate(url, options);
    return connect(url, options, async () => undefined);
  }
  const embedded = await openEmbeddedDatabase(options);
  try {
    if (!embedded.isShared) await migrate(embedded.url, options);
    return await connect(embedded.url, options, () => embedded.release());
  } catch (error) {
    await embedded.release();
    throw error;
  }
}

async function migrate(url: string, { prismaFolder, logger }: ServiceDatabaseOptions): Promise<void> {
  const applied = await withRefusals('migrations', () => migrateDeploy(url, prismaFolder));
  if (applied.length > 0) logger.info('database migrated', { applied });
}

function throwUncaught(error: OperatorError): void {
  setImmediate(() => {
    throw error;
  });
}

async function connect(
  url: string,
  options: ServiceDatabaseOptions & Required<Pick<ServiceDatabaseOptions, 'onLost'>>,
  release: () => Promise<void>,
): Promise<ServiceDatabase> {
  const { poolSize, settings = {}, prismaFolder, logger, metrics = silentMetrics } = options;
  const { clock = systemClock } = options;
  const database = await connectDatabase({ url, poolSize, settings, logger, clock });
  try {
    await withRefusals('check of the schema', async () => {
      await refuseTransactionPooling(database.pool);
      await checkSchema(database, prismaFolder);
      await checkRights(database.pool, { isReader: options.existing ?? false });
    });
  } catch (error) {
    await database.close();
    throw error;
  }
  measureDatabase({ pool: database.pool, poolSize }, metrics);
  const stopWatch = watch(database, { ...options, clock, metrics });
  return {
    database,
    async close() {
      stopWatch();
      await database.close();
      await release();
    },
  };
}

interface Watched extends Required<Pick<ServiceDatabaseOptions, 'clock' | 'logger' | 'onLost'>> {
  readonly metrics: Metrics;
}

/** @returns ends the watch */
function watch(database: Database, { clock, logger, metrics, onLost }: Watched): () => void {
  const question = async () => {
    await database.recheckPrimary();
    await database.pool.query({ text: 'SELECT 1', query_timeout: ANSWER_MS } as pg.QueryConfig);
    await database.recheckWrites();
  };
  const takesWrites = () => database.writeRefusal() === undefined;
  const ask = measureAnswers(question, { metrics, takesWrites });
  return watchConnection({
    // Side by side: the question may wait for a connection behind those that no longer answer.
    ask: () => Promise.all([ask(), database.recheckConnections()]),
    clock,
    logger,
    boundMs: LOST_AFTER_MS,
    onLost,
  });
}
