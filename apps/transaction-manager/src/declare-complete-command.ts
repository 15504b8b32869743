import { defineOptions, type ConfigOf, type ServiceEnvironment } from '@tetrad/service';
import { openManagerStore } from '@tetrad/transaction-manager';
import { keylessOptions } from './backup-command.js';
import { openDatabase } from './database.js';

export const declareOptions = defineOptions(keylessOptions);

const IN_DOUBT: readonly string[] = ['restored', 'unchecked', 'unconfirmed'];

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
  const stored = openManagerStore(opened.database);
  try {
    const before = (await stored.completeness.find()) ?? 'restored';
    if (IN_DOUBT.includes(before)) await stored.completeness.set('declared');
    return JSON.stringify({ complete: true, before });
  } finally {
    await stored.close();
    await opened.close();
  }
}
