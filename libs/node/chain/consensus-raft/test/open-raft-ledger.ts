import { connectDatabase } from '@tetrad/db';
import { createExecutor, type Genesis } from '@tetrad/node-execution';
import { openLedger, type Ledger } from '@tetrad/node-ledger';
import { openLedgerStore } from '@tetrad/node-store';
import { createTestDatabase } from '@tetrad/testkit';
import { silentLogger, silentMetrics, systemClock, type Clock } from '@tetrad/types';
import { RaftChainRules, type RaftSnapshot } from '../src/index.js';

export interface RaftLedger {
  readonly ledger: Ledger<RaftSnapshot>;
  close(): Promise<void>;
}

/** The chain of the genesis file in a database of its own. */
export async function openRaftLedger(genesis: Genesis, clock: Clock = systemClock): Promise<RaftLedger> {
  const server = await createTestDatabase('node');
  const database = await connectDatabase({ url: server.url });
  const store = await openLedgerStore(database);
  const close = async () => {
    await store.close();
    await database.close();
    await server.drop();
  };
  try {
    const ledger = await openLedger({
      genesis,
      rules: new RaftChainRules(genesis),
      store,
      executor: createExecutor(genesis),
      clock,
      logger: silentLogger,
      metrics: silentMetrics,
    });
    return { ledger, close };
  } catch (error) {
    await close();
    throw error;
  }
}
