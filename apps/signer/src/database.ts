import { openServiceDatabase, type ServiceDatabase } from '@tetrad/db';
import { databaseSettingsOf } from '@tetrad/service';
import { SIGNER_DATABASE_SETTINGS, SIGNER_PRISMA_FOLDER } from '@tetrad/signer-store';
import type { Logger } from '@tetrad/types';

/**
 * Opens the database of the options, or an embedded one in the data folder.
 *
 * In:    share — use the embedded server that a running signer has on the folder
 * Fails: OperatorError when it cannot be reached, or its schema is not the one this version knows
 */
export function openDatabase(
  config: Parameters<typeof databaseSettingsOf>[0],
  logger: Logger,
  { share }: { readonly share: boolean },
): Promise<ServiceDatabase> {
  return openServiceDatabase({
    name: 'tetrad_signer',
    prismaFolder: SIGNER_PRISMA_FOLDER,
    ...databaseSettingsOf(config),
    settings: SIGNER_DATABASE_SETTINGS,
    share,
    logger,
  });
}
