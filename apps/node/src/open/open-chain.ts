import { useSystemLibrary } from '@tetrad/crypto/system-library';
import { databaseProblem, type Database } from '@tetrad/db';
import { DEFAULT_STATE_CACHE_LIMITS, createExecutor, type Genesis } from '@tetrad/node-execution';
import { openLedger, type Ledger } from '@tetrad/node-ledger';
import { chainPermissions, type ChainPermissions, type PermissionConfig } from '@tetrad/node-permissioning';
import { openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import type { ServiceEnvironment } from '@tetrad/service';
import { OperatorError, systemClock } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import { openDatabase } from './database.js';
import type { NodeModule } from './node-module.js';
import { asOperatorError } from './operator-errors.js';
import { openChainEngine, type ChainEngine } from './chain-engine.js';

export interface OpenChain {
  readonly genesis: Genesis;
  readonly store: LedgerStore;
  readonly ledger: Ledger;
  /** The same chain with its consensus engine. */
  readonly engine: ChainEngine;
  /** Addresses of the permission contracts; undefined without them. */
  readonly permissionConfig: PermissionConfig | undefined;
  /** Their rules for transactions in blocks and behind markers. */
  readonly chainPermissions: ChainPermissions;
}

type ChainEnvironment = Pick<ServiceEnvironment, 'logger' | 'metrics'>;

/**
 * Opens the chain of the genesis file in the database.
 * @param wrapStore - a store over that of the database
 * @throws OperatorError naming what is wrong
 */
export async function openChain(
  config: NodeConfig,
  environment: ChainEnvironment,
  genesis: Genesis,
  permissionConfig?: PermissionConfig,
  wrapStore: (store: LedgerStore) => LedgerStore = (store) => store,
): Promise<NodeModule<OpenChain>> {
  const library = await useSystemLibrary();
  environment.logger.info('recovering keys', { by: library ?? 'the package secp256k1' });
  const opened = await openDatabase(config, environment.logger, { metrics: environment.metrics });
  const { database } = opened;
  try {
    const parts = await openIn(database, config, { ...environment, genesis, permissionConfig, wrapStore });
    return {
      parts,
      readiness: {
        database: () => databaseProblem(database),
      },
      async close() {
        // Closing the database waits for every connection, so the store must be closed first.
        await parts.store.close();
        await opened.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

interface ChainSettings extends ChainEnvironment {
  readonly genesis: Genesis;
  readonly permissionConfig: PermissionConfig | undefined;
  readonly wrapStore: (store: LedgerStore) => LedgerStore;
}

async function openIn(
  database: Database,
  config: NodeConfig,
  { genesis, permissionConfig, logger, metrics, wrapStore }: ChainSettings,
): Promise<OpenChain> {
  const store = wrapStore(await openLedgerStore(database).catch(asOperatorError));
  try {
    const executor = createExecutor(genesis);
    const permissions = chainPermissions(permissionConfig, { genesis, executor });
    const { ofBlocks: mayTransact } = permissions;
    const settings = {
      genesis,
      store,
      logger,
      metrics,
      executor,
      clock: systemClock,
      ...(mayTransact && { mayTransact }),
      stateCache: { ...DEFAULT_STATE_CACHE_LIMITS, nodeBytes: config.stateCacheMb * 1024 * 1024 },
      cachedTransactions: config.cachedTransactions,
      keepsRevertReasons: config.revertReason,
      stateHistory: config.stateHistory,
    };
    const engine = await openChainEngine({
      genesis,
      store,
      openLedger: (rules) => openLedger({ ...settings, rules }),
    });
    const { ledger } = engine;
    await assertWhole(config, store, ledger.head().header.number);
    return { genesis, store, ledger, engine, permissionConfig, chainPermissions: permissions };
  } catch (error) {
    await store.close();
    return asOperatorError(error);
  }
}

/** @throws OperatorError when a state was being taken, and is not to be taken further */
async function assertWhole({ sync }: NodeConfig, store: LedgerStore, head: number): Promise<void> {
  const begun = await store.stateSync.find();
  if (begun?.joinedBlock !== undefined || sync === 'state') return;
  const newest = head > 0 ? head : await store.stateSync.findNewestHeader();
  if (begun === undefined && (newest ?? 0) <= head) return;
  throw new OperatorError(
    `the state of block ${begun?.targetBlock ?? newest} is not wholly in this database: go on with --sync state, or begin with an empty one`,
  );
}
