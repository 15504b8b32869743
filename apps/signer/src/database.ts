import { openServiceDatabase, prismaFolder, type ServiceDatabase } from '@tetrad/db';
import { databaseSettingsOf } from '@tetrad/service';
import { SIGNER_DATABASE_SETTINGS } from '@tetrad/signer-store';
import type { Logger, Metrics } from '@tetrad/types';

/**
 * Opens the database of the options, or an embedded one in the data folder.
 * @param options.share - use the embedded server that a running signer has on the folder
 * @param options.existing - make none
 * @throws OperatorError when it cannot be reached, or its schema is not the one this version knows
 */
export function openDatabase(
  config: Parameters<typeof databaseSettingsOf>[0],
  logger: Logger,
  {
    share,
    existing = false,
    metrics,
  }: { readonly share: boolean; readonly existing?: boolean; readonly metrics?: Metrics },
): Promise<ServiceDatabase> {
  return openServiceDatabase({
    name: 'tetrad_signer',
    prismaFolder: prismaFolder('signer'),
    ...databaseSettingsOf(config),
    settings: SIGNER_DATABASE_SETTINGS,
    share,
    existing,
    logger,
    metrics,
  });
}
