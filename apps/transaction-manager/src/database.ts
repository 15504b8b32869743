import { openServiceDatabase, prismaFolder, type ServiceDatabase } from '@tetrad/db';
import { databaseSettingsOf, type ServiceEnvironment } from '@tetrad/service';
import type { ManagerConfig } from './config.js';

/**
 * Opens the database of the options, or an embedded one in the data folder.
 *
 * Fails: OperatorError when it cannot be reached, or its schema is not the one this version knows
 */
export function openDatabase(
  config: Pick<
    ManagerConfig,
    'databaseUrl' | 'databasePasswordFile' | 'databasePoolSize' | 'migrate' | 'dataDir'
  >,
  { logger, metrics }: Pick<ServiceEnvironment, 'logger'> & Partial<Pick<ServiceEnvironment, 'metrics'>>,
): Promise<ServiceDatabase> {
  return openServiceDatabase({
    name: 'tetrad_transaction_manager',
    prismaFolder: prismaFolder('transaction-manager'),
    ...databaseSettingsOf(config),
    ...{ share: false, logger, metrics },
  });
}
