import type { ServiceEnvironment } from '@tetrad/service';
import { composeTransactionManager } from './compose.js';
import type { ManagerConfig } from './config.js';

/**
 * Starts the manager, fetches what it lost from its peers, and stops it.
 *
 * Out: 0 when every peer sent what it has for us, 1 when some did, 2 when none did
 */
export async function recover(config: ManagerConfig, environment: ServiceEnvironment): Promise<0 | 1 | 2> {
  const { manager, stop } = await composeTransactionManager(config, environment);
  try {
    const { result, answered, failed, unresolved } = await manager.recovery.run();
    const lines = [
      ...answered.map((url) => `${url} sent all it has for us`),
      ...failed.map(({ url, reason }) => `${url} failed: ${reason}`),
      ...(unresolved === 0 ? [] : [`${unresolved} payloads ${whyUnresolved(failed.length)}`]),
    ];
    process.stdout.write(`${lines.length === 0 ? 'no peer is known' : lines.join('\n')}\n`);
    return result;
  } finally {
    await stop();
  }
}

function whyUnresolved(failed: number): string {
  return failed === 0
    ? 'concern contracts to which no key here is a party'
    : 'wait for contracts that the peers that failed may have: run it again when they are back';
}
