import { StartupError, type ServiceEnvironment } from '@tetrad/service';
import { composeTransactionManager } from './compose.js';
import type { ManagerConfig } from './config.js';
import { recoveryReport } from './recovery-report.js';

/**
 * Starts the manager, fetches what it lost from its peers, and stops it.
 *
 * @returns the exit code. 0: every peer has sent what it has for us; peers that cannot know whether that is all they ever
 *   had are named in a warning, and the manager waits for them by itself. 1: some peers did not send all, or payloads are
 *   known to be missing: run it again. 2: no peer sent anything, or none is known
 */
export async function recover(config: ManagerConfig, environment: ServiceEnvironment): Promise<0 | 1 | 2> {
  const composed = composeTransactionManager(config, environment, { checksLoss: false });
  const { manager, stop } = await composed.catch(explainPort);
  try {
    const outcome = await manager.recovery.run();
    process.stdout.write(recoveryReport(outcome));
    return outcome.result;
  } finally {
    await stop();
  }
}

/** Peers send payloads to the manager's own ports, so that both cannot run. */
function explainPort(error: unknown): never {
  if (!(error instanceof StartupError) || !error.message.endsWith('is already in use')) throw error;
  throw new StartupError(
    `${error.message}; recover serves the manager's ports itself: stop the manager that runs with this configuration, ` +
      'and start it when recover has ended',
    { cause: error },
  );
}
