import { type Database, openServiceDatabase, prismaFolder, type ServiceDatabase } from '@tetrad/db';
import { multiplyGenerator, rollupDomain } from '@tetrad/rollup-crypto';
import {
  ROLLUP_DATABASE_SETTINGS,
  openRollupStore,
  type AcceptanceBounds,
  type RollupStore,
} from '@tetrad/rollup-store';
import { databaseSettingsOf } from '@tetrad/service';
import type { Logger, Metrics } from '@tetrad/types';
import { batchSizesOf } from './batch-sizes.js';
import type { IdentityConfig, StorageConfig } from './config.js';

/** The rows of a rollup, and which one it is. */
export interface OpenRollup {
  readonly database: Database;
  readonly store: RollupStore;
  /** What every signature is bound to. */
  readonly domain: bigint;
  close(): Promise<void>;
}

/** What an operator knows besides its options. */
interface OpenOptions {
  /** Of keys that the operator had before: the database may still have one of them. */
  readonly formerSecrets?: readonly bigint[];
  /** Bounds of what is accepted; undefined for a command, which accepts nothing. */
  readonly bounds?: AcceptanceBounds | undefined;
}

/** @throws OperatorError; RollupStoreError when the database belongs to another rollup */
export async function openRollup(
  config: StorageConfig & IdentityConfig,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
  { formerSecrets = [], bounds }: OpenOptions = {},
): Promise<OpenRollup> {
  const { contract, operatorKey } = config;
  const batchSize = Math.max(...batchSizesOf(config));
  const chainId = BigInt(config.chainId);
  const opened = await openDatabase(config, logger, metrics);
  const store = openRollupStore(opened.database, bounds);
  const close = async () => {
    await store.close();
    await opened.close();
  };
  try {
    const formerKeys = formerSecrets.map((secret) => multiplyGenerator(secret));
    await store.claimIdentity({ chainId, contract, operatorKey, batchSize }, formerKeys);
    return { database: opened.database, store, domain: rollupDomain(chainId, contract), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens the database of the options, or an embedded one in the data folder.
 * @throws OperatorError when it cannot be reached, or its schema is not the one this version knows
 */
function openDatabase(config: StorageConfig, logger: Logger, metrics: Metrics): Promise<ServiceDatabase> {
  return openServiceDatabase({
    name: 'tetrad_rollup_operator',
    prismaFolder: prismaFolder('rollup-operator'),
    settings: ROLLUP_DATABASE_SETTINGS,
    ...databaseSettingsOf(config),
    logger,
    metrics,
  });
}
