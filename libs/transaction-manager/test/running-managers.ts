import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import {
  startTransactionManager,
  type RunningTransactionManager,
  type TransactionManagerOptions,
} from '../src/start-transaction-manager.js';
import { recordedPairs } from './recorded.js';

export interface RunningManager extends RunningTransactionManager {
  readonly clientUrl: string;
  readonly database: Database;
  /** Stops the manager and drops its database. */
  end(): Promise<void>;
}

const LOOPBACK = { host: '127.0.0.1', port: 0 };

/** A manager of the recorded keys, with a separate database and free ports. */
export async function startManager(
  names: readonly string[],
  options: Partial<TransactionManagerOptions> = {},
): Promise<RunningManager> {
  const testDatabase: TestDatabase = await createTestDatabase('transaction-manager');
  const database = await connectDatabase({ url: testDatabase.url, poolSize: 4 });
  const running = await startTransactionManager({
    ...{ database, logger: silentLogger, version: 'test', keys: recordedPairs(...names) },
    ...{ client: LOOPBACK, peer: LOOPBACK, thirdParty: LOOPBACK, partyIntervalMs: 100 },
    pause: async () => undefined,
    ...options,
  }).catch(async (error: unknown) => {
    await database.close();
    await testDatabase.drop();
    throw error;
  });
  return {
    ...running,
    clientUrl: running.clientUrl ?? '',
    database,
    async end() {
      await running.stop();
      await database.close();
      await testDatabase.drop();
    },
  };
}
