import { defineOptions, type ConfigOf, type ServiceEnvironment } from '@tetrad/service';
import { CompletenessStore } from '@tetrad/transaction-manager';
import { keylessOptions } from './backup-command.js';
import { openDatabase } from './database.js';

export const declareOptions = defineOptions(keylessOptions);

/**
 * Records the operator's word that no payload was lost. A manager that runs reads it with its next question to its peers.
 *
 * @returns a line of JSON for the operator
 */
export async function declareComplete(
  config: ConfigOf<typeof declareOptions>,
  environment: ServiceEnvironment,
): Promise<string> {
  const opened = await openDatabase(config, environment);
  try {
    const store = new CompletenessStore(opened.database);
    const before = (await store.find()) ?? 'restored';
    if (before === 'restored' || before === 'unchecked') await store.set('declared');
    return JSON.stringify({ complete: true, before });
  } finally {
    await opened.close();
  }
}
