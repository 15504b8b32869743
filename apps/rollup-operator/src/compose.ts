import type { RpcWebSocket } from '@tetrad/rpc';
import {
  assertCanServe,
  startService,
  type RunningService,
  type ServiceDefinition,
  type ServiceEnvironment,
} from '@tetrad/service';
import { acceptanceBounds } from './acceptance-options.js';
import type { OperatorConfig, Role } from './config.js';
import { openOperatorSecrets } from './open-operator-secret.js';
import { openRollup, type OpenRollup } from './open-rollup.js';
import { apiRole } from './roles/api.js';
import { batcherRole } from './roles/batcher.js';
import { proverRole } from './roles/prover.js';
import type { RunningRole } from './roles/running-role.js';

interface RoleParts {
  readonly config: OperatorConfig;
  readonly environment: ServiceEnvironment;
  readonly rollup: OpenRollup;
  /** Of the operator's keys, the present one first; of a batcher alone. */
  readonly operatorSecrets: readonly bigint[];
}

/** How each role is started. */
const ROLES: Readonly<Record<Role, (parts: RoleParts) => Promise<RunningRole>>> = {
  api: apiRole,
  batcher: batcherRole,
  prover: proverRole,
};

/**
 * Builds an operator and opens its ports.
 * @throws OperatorError with one line for the operator
 */
export async function composeRollupOperator(
  config: OperatorConfig,
  environment: ServiceEnvironment,
): Promise<RunningService> {
  await assertCanServe(config);
  const secrets = config.roles.includes('batcher') ? await openOperatorSecrets(config) : [];
  const rollup = await openRollup(config, environment, {
    formerSecrets: secrets.slice(1),
    bounds: acceptanceBounds(config),
  });
  const running: RunningRole[] = [];
  const close = async () => {
    for (const role of running.splice(0).reverse()) await role.stop();
    await rollup.close();
  };
  try {
    for (const name of new Set(config.roles)) {
      running.push(await ROLES[name]({ config, environment, rollup, operatorSecrets: secrets }));
    }
    const api = running.find(({ handle }) => handle !== undefined);
    return await startService({
      ...environment,
      config,
      ...(api?.handle === undefined ? {} : { rpc: { paths: ['/'], handle: api.handle } }),
      ...(api?.webSocket === undefined ? {} : webSocketRoutes(api.webSocket)),
      publicRoutes: (app) =>
        app.get('/upcheck', (_request, response) => response.type('text/plain').send('OK')),
      readiness: Object.assign({}, ...running.map(({ readiness }) => readiness)),
      onStop: close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}

function webSocketRoutes(webSocket: RpcWebSocket): Pick<ServiceDefinition, 'webSocket' | 'onDrain'> {
  return {
    webSocket: (request, socket, head) => webSocket.handleUpgrade(request, socket, head),
    onDrain: () => webSocket.close(),
  };
}
