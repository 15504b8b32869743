import { openServiceDatabase, prismaFolder, type ServiceDatabase } from '@tetrad/db';
import { databaseSettingsOf } from '@tetrad/service';
import type { Logger, Metrics } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';

/** How a command opens the database of a node, which may be running: it creates none. */
export const OF_COMMAND = { share: true, existing: true } as const;

interface OpenOptions {
  readonly metrics?: Metrics | undefined;
  /** Use the embedded server that a running node has on the folder. */
  readonly share?: boolean;
  /** Create no database. */
  readonly existing?: boolean;
}

/**
 * Opens the database of the options, or an embedded one in the data folder.
 * @throws OperatorError when it cannot be reached, or its schema is not that of this version
 */
export function openDatabase(
  config: NodeConfig,
  logger: Logger,
  options: OpenOptions = {},
): Promise<ServiceDatabase> {
  return openServiceDatabase({
    name: 'tetrad_node',
    prismaFolder: prismaFolder('node'),
    ...databaseSettingsOf(config),
    ...options,
    logger,
  });
}
