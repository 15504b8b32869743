import { openServiceDatabase, prismaFolder, type ServiceDatabase } from '@tetrad/db';
import { databaseSettingsOf, type ServiceEnvironment } from '@tetrad/service';
import type { ManagerConfig } from './config.js';

/** How a command opens the database of a manager, which may be running: it creates none. */
export const OF_COMMAND = { share: true, existing: true } as const;

interface OpenOptions {
  /** Use the embedded server that a running manager has on the folder. */
  readonly share?: boolean;
  /** Create no database. */
  readonly existing?: boolean;
}

/**
 * Opens the database of the options, or an embedded one in the data folder.
 * @throws OperatorError when it cannot be reached, or its schema is not the one this version knows
 */
export function openDatabase(
  config: Pick<
    ManagerConfig,
    'databaseUrl' | 'databasePasswordFile' | 'databasePoolSize' | 'migrate' | 'dataDir'
  >,
  { logger, metrics }: Pick<ServiceEnvironment, 'logger'> & Partial<Pick<ServiceEnvironment, 'metrics'>>,
  options: OpenOptions = {},
): Promise<ServiceDatabase> {
  return openServiceDatabase({
    name: 'tetrad_transaction_manager',
    prismaFolder: prismaFolder('transaction-manager'),
    ...databaseSettingsOf(config),
    ...options,
    logger,
    metrics,
  });
}
