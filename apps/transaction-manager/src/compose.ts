import { databaseProblem } from '@tetrad/db';
import {
  StartupError,
  assertCanServe,
  startService,
  tlsServerOptions,
  type ListenAddress,
  type ReadinessChecks,
  type RunningService,
  type ServiceEnvironment,
} from '@tetrad/service';
import {
  startTransactionManager,
  type RunningTransactionManager,
  type TransactionManagerOptions,
} from '@tetrad/transaction-manager';
import type { ManagerConfig } from './config.js';
import { openDatabase } from './database.js';
import { loadKeys } from './load-keys.js';
import { behaviourOf, peerTlsOf, thirdPartyOf } from './read-settings.js';

export interface ComposedManager extends RunningService {
  readonly manager: RunningTransactionManager;
}

/**
 * Opens the database and all ports of a transaction manager.
 * @throws OperatorError with one line for the operator
 */
export async function composeTransactionManager(
  config: ManagerConfig,
  environment: ServiceEnvironment,
  more: Pick<TransactionManagerOptions, 'checksLoss'> = {},
): Promise<ComposedManager> {
  const settings = { ...behaviourOf(config), peerTls: peerTlsOf(config), thirdParty: thirdPartyOf(config) };
  await assertCanServe(config, { ports: furtherPorts(config) });
  const keys = await loadKeys(config);
  const stored = await openDatabase(config, environment);
  let manager: RunningTransactionManager | undefined;
  const close = async () => {
    await manager?.stop();
    await stored.close();
  };
  try {
    manager = await startTransactionManager({
      ...environment,
      ...settings,
      ...more,
      keys,
      database: stored.database,
      peer: { host: config.peerListenHost, port: config.peerListenPort },
      clientTls: tlsServerOptions(config),
      clientSocket: config.clientSocket,
      maxBodyBytes: config.maxBodyBytes,
      maxHeldBytes: config.maxHeldBytes,
    }).catch(asStartupError);
    environment.logger.info('transaction manager ready', describeManager(manager, keys));
    const service = await startService({
      ...environment,
      config,
      otherwise: manager.clientHandler,
      onStop: close,
      readiness: readinessChecks(stored, manager),
    });
    return { ...service, manager };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What other organizations need. */
function describeManager(
  { peerUrl, thirdPartyUrl }: RunningTransactionManager,
  keys: TransactionManagerOptions['keys'],
) {
  return {
    peerUrl,
    keys: keys.map(({ publicKey }) => publicKey),
    ...(thirdPartyUrl === undefined ? {} : { thirdPartyUrl }),
  };
}

function readinessChecks(
  { database }: Awaited<ReturnType<typeof openDatabase>>,
  { conflicts, completeness }: RunningTransactionManager,
): ReadinessChecks {
  return {
    database: () => databaseProblem(database),
    // Any stranger can cause a conflict.
    keys: { class: 'operators', check: () => conflicts.warning },
    // Payloads are sent and taken meanwhile; what waits is private state of the node.
    completeness: { class: 'operators', check: () => completeness.doubt },
  };
}

function furtherPorts(config: ManagerConfig): ListenAddress[] {
  const { peerListenHost, peerListenPort, thirdPartyListenHost, thirdPartyListenPort } = config;
  return [
    { host: peerListenHost, port: peerListenPort, portOption: '--peer-listen-port' },
    ...(thirdPartyListenPort === undefined
      ? []
      : [
          {
            host: thirdPartyListenHost,
            port: thirdPartyListenPort,
            portOption: '--third-party-listen-port',
          },
        ]),
  ];
}

/** Ports that are taken and groups that do not fit the keys are the operator's to mend. */
function asStartupError(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof TypeError || code !== undefined) throw new StartupError(message);
  throw error;
}
