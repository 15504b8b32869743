import { StartupError, type ServiceEnvironment } from '@tetrad/service';
import { RecoveryResult } from '@tetrad/transaction-manager';
import { composeTransactionManager } from './compose.js';
import type { ManagerConfig } from './config.js';

/**
 * Starts the manager, fetches what it lost from its peers, and stops it.
 *
 * Out: 0 when every peer sent what it has for us, 1 when some did or sent a part, 2 when none did
 */
export async function recover(config: ManagerConfig, environment: ServiceEnvironment): Promise<0 | 1 | 2> {
  const composed = composeTransactionManager(config, environment, { checksLoss: false });
  const { manager, stop } = await composed.catch(explainPort);
  try {
    const outcome = await manager.recovery.run();
    const { result, answered, incomplete, inDoubt, failed, unresolved, missing } = outcome;
    const lacking = incomplete.length + inDoubt.length + failed.length;
    const lines = [
      ...answered.map((url) => `${url} sent all it has for us`),
      ...incomplete.map((url) => `${url} sent payloads without privacy flags only: ${WITHOUT_BATCHES}`),
      ...inDoubt.map(
        ({ url, state }) => `${url} sent what it has, and may have lost payloads itself: ${DOUBTS[state]}`,
      ),
      ...failed.map(({ url, reason }) => `${url} failed: ${reason}`),
      ...(unresolved === 0 ? [] : [`${unresolved} payloads ${whyUnresolved(lacking)}`]),
      ...(lacking === 0 ? [] : missing.map((hash) => `missing: the payload of contract creation ${hash}`)),
    ];
    if (lines.length === 0) lines.push('no peer is known');
    lines.push(RESULTS[result]);
    process.stdout.write(`${lines.join('\n')}\n`);
    return result;
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

const NOT_COMPLETE =
  'not complete: run it again when the peers above can send what they have; declare-complete says that they have nothing';

/** What follows for the manager, and so for its node. */
const RESULTS: Readonly<Record<RecoveryResult, string>> = {
  [RecoveryResult.Success]:
    'complete: every peer has sent what it has for the keys of this manager\n' +
    'start it; then `tetrad node re-execute-private` names the blocks that the node executed without these payloads, and\n' +
    '`tetrad node re-execute-private --from auto` executes from the first of them on, while the node is stopped',
  [RecoveryResult.Partial]: NOT_COMPLETE,
  [RecoveryResult.Failure]: NOT_COMPLETE,
};

/** Why a peer may lack payloads, and what ends that. */
const DOUBTS: Readonly<Record<'restored' | 'unchecked', string>> = {
  restored: 'its database was restored, and its own recovery has to end first',
  unchecked: 'its database began empty, and it has not heard all of its peers; its /readyz says which',
};

const WITHOUT_BATCHES = 'its payloads with privacy flags 1 to 3 are missing here, as it has no /resendBatch';

/** In: lacking — managers that did not send all */
function whyUnresolved(lacking: number): string {
  return lacking === 0
    ? 'concern contracts to which no key here is a party'
    : 'wait for contracts that the peers above which did not send all may have: run it again when they can';
}
