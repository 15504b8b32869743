import { openServiceDatabase, prismaFolder, type ServiceDatabase } from '@tetrad/db';
import { databaseSettingsOf } from '@tetrad/service';
import type { Logger, Metrics } from '@tetrad/types';
import type { NodeConfig } from './config.js';

/**
 * Opens the database of the options, or an embedded one in the data folder.
 *
 * Fails: OperatorError when it cannot be reached, or its schema is not that of this version
 */
export function openDatabase(
  config: NodeConfig,
  logger: Logger,
  metrics?: Metrics,
): Promise<ServiceDatabase> {
  return openServiceDatabase({
    name: 'tetrad_node',
    prismaFolder: prismaFolder('node'),
    ...databaseSettingsOf(config),
    ...{ logger, metrics },
  });
}
