import { openServiceDatabase, prismaFolder, type ServiceDatabase } from '@tetrad/db';
import { databaseSettingsOf } from '@tetrad/service';
import type { Logger, Metrics } from '@tetrad/types';
import type { StorageConfig } from './config.js';

export interface OpenOptions {
  /** Use the embedded server that a running service has on the folder, as commands beside it do. */
  readonly share: boolean;
  /** Make nothing: for commands that need what is there. */
  readonly existing?: boolean;
  /** Metrics of the service. */
  readonly metrics?: Metrics;
}

/**
 * Opens the database of the options, or an embedded one in the data folder.
 * @throws OperatorError when it cannot be reached, or its schema is not the one this version knows
 */
export function openDatabase(
  config: StorageConfig,
  logger: Logger,
  { share, existing = false, metrics }: OpenOptions,
): Promise<ServiceDatabase> {
  return openServiceDatabase({
    name: 'tetrad_wallet',
    prismaFolder: prismaFolder('wallet'),
    ...databaseSettingsOf(config),
    share,
    existing,
    logger,
    metrics,
  });
}
