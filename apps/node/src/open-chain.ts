import type { Database } from '@tetrad/db';
import { ValidatorCandidates, type BftChain } from '@tetrad/node-consensus-bft-chain';
import { DEFAULT_STATE_CACHE_LIMITS, createExecutor, type Genesis } from '@tetrad/node-execution';
import { openLedger, type Ledger } from '@tetrad/node-ledger';
import { openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import type { ServiceEnvironment } from '@tetrad/service';
import { systemClock } from '@tetrad/types';
import type { NodeConfig } from './config.js';
import { openDatabase } from './database.js';
import type { NodeModule } from './node-module.js';
import { asOperatorError } from './operator-errors.js';
import { rulesOf } from './pick-rules.js';

export interface OpenChain {
  readonly genesis: Genesis;
  readonly store: LedgerStore;
  readonly ledger: Ledger;
  /** The chain as validators decide on it; undefined when others order its blocks. */
  readonly bft: BftParts | undefined;
}

/** What only a chain of validators has. */
export interface BftParts extends BftChain {
  /** Addresses that this node votes in or out. */
  readonly candidates: ValidatorCandidates;
}

type ChainEnvironment = Pick<ServiceEnvironment, 'logger' | 'metrics'>;

/** Opens the chain of the genesis file in the database. Fails: OperatorError naming what is wrong. */
export async function openChain(
  config: NodeConfig,
  environment: ChainEnvironment,
  genesis: Genesis,
): Promise<NodeModule<OpenChain>> {
  const opened = await openDatabase(config, environment.logger);
  const { database } = opened;
  try {
    const parts = await openIn(database, config, { ...environment, genesis });
    return {
      parts,
      readiness: {
        database: async () => {
          await database.pool.query('SELECT 1');
          return undefined;
        },
      },
      async close() {
        // Closing the database waits for every connection, so the store's must be let go of first.
        await parts.store.close();
        await opened.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openIn(
  database: Database,
  config: NodeConfig,
  { genesis, logger, metrics }: ChainEnvironment & { readonly genesis: Genesis },
): Promise<OpenChain> {
  const store = await openLedgerStore(database).catch(asOperatorError);
  try {
    const rules = rulesOf(genesis);
    const ledger = await openLedger({
      ...{ genesis, rules, store, logger, metrics },
      executor: createExecutor(genesis),
      clock: systemClock,
      stateCache: { ...DEFAULT_STATE_CACHE_LIMITS, nodeBytes: config.stateCacheMb * 1024 * 1024 },
      cachedTransactions: config.cachedTransactions,
    });
    const candidates = await ValidatorCandidates.open(store.validators);
    return { genesis, store, ledger, bft: { ledger, rules, candidates } };
  } catch (error) {
    await store.close();
    return asOperatorError(error);
  }
}
