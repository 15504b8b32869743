import { openServiceDatabase, type ServiceDatabase } from '@tetrad/db';
import { databaseSettingsOf } from '@tetrad/service';
import type { Logger } from '@tetrad/types';
import { WALLET_PRISMA_FOLDER } from '@tetrad/wallet-store';
import type { StorageConfig } from './config.js';

/**
 * Opens the database of the options, or an embedded one in the data folder.
 *
 * In:    share — use the embedded server that a running service has on the folder, as commands beside it do
 * Fails: OperatorError when it cannot be reached, or its schema is not the one this version knows
 */
export function openDatabase(
  config: StorageConfig,
  logger: Logger,
  { share }: { readonly share: boolean },
): Promise<ServiceDatabase> {
  return openServiceDatabase({
    name: 'tetrad_wallet',
    prismaFolder: WALLET_PRISMA_FOLDER,
    ...databaseSettingsOf(config),
    share,
    logger,
  });
}
