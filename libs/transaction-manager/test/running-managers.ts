import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import {
  startTransactionManager,
  type RunningTransactionManager,
  type TransactionManagerOptions,
} from '../src/start-transaction-manager.js';
import { openManagerStore, type ManagerStore } from '../src/store/open-manager-store.js';
import { recordedPairs } from './recorded.js';

export interface RunningManager extends RunningTransactionManager {
  readonly clientUrl: string;
  readonly database: Database;
  /** Its rows, beside its own access to them. */
  readonly stored: ManagerStore;
  /** Stops the manager and drops its database, unless it was given one. */
  end(): Promise<void>;
}

const LOOPBACK = { host: '127.0.0.1', port: 0 };

/** A manager of the recorded keys, with a separate database, unless it is given one, and free ports. */
export async function startManager(
  names: readonly string[],
  options: Partial<TransactionManagerOptions> = {},
): Promise<RunningManager> {
  const { database, drop } = await databaseOf(options);
  const running = await startTransactionManager({
    logger: silentLogger,
    version: 'test',
    keys: recordedPairs(...names),
    client: LOOPBACK,
    peer: LOOPBACK,
    thirdParty: LOOPBACK,
    partyIntervalMs: 100,
    pause: async () => undefined,
    ...options,
    database,
  }).catch(async (error: unknown) => {
    await drop();
    throw error;
  });
  const stored = openManagerStore(database);
  return {
    ...running,
    clientUrl: running.clientUrl ?? '',
    database,
    stored,
    async end() {
      await running.stop();
      await stored.close();
      await drop();
    },
  };
}

/** The caller drops a database of its own. */
async function databaseOf({
  database: given,
}: Partial<TransactionManagerOptions>): Promise<{ readonly database: Database; drop(): Promise<void> }> {
  if (given !== undefined) return { database: given, drop: async () => undefined };
  const testDatabase = await createTestDatabase('transaction-manager');
  const database = await connectDatabase({ url: testDatabase.url, poolSize: 4 });
  return {
    database,
    async drop() {
      await database.close();
      await testDatabase.drop();
    },
  };
}
