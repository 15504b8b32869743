import { fileURLToPath } from 'node:url';
import { EndpointClient, EndpointsFile, type EndpointKind } from '@tetrad/console';
import {
  TokenFile,
  assertCanServe,
  startService,
  type RunningService,
  type ServiceEnvironment,
} from '@tetrad/service';
import { systemClock } from '@tetrad/types';
import type { ConsoleConfig } from './config.js';
import { readPageFiles } from './page-files.js';
import { consoleRoutes } from './routes.js';
import { sendPage } from './send-page.js';

/** Where libs/bundle writes the page, seen from the bundle as well: in the repository and in an image. */
const PAGE_FOLDER = fileURLToPath(new URL('../page/dist', import.meta.url));

/** Opens the ports of the console. Fails: OperatorError with one line for the operator */
export async function composeConsole(
  config: ConsoleConfig,
  environment: ServiceEnvironment,
): Promise<RunningService> {
  await assertCanServe(config);
  const endpoints = new EndpointsFile(config.endpointsFile, systemClock);
  const files = await readPageFiles(PAGE_FOLDER);
  const clients = openClients(config, environment);
  return startService({
    ...environment,
    config,
    routes: consoleRoutes({
      ...{ endpoints, clients, logger: environment.logger },
      accountsClaim: config.authJwtAccountsClaim,
    }),
    // The page itself says nothing of the network, and it is where a token is entered.
    publicRoutes: (app) =>
      app.use((request, response, next) =>
        request.path.startsWith('/api/') ? next() : sendPage(files, request, response),
      ),
    async onStop() {
      for (const client of Object.values(clients)) await client.close();
    },
  });
}

/** A client for each kind of service, which none of the others' tokens reach. Fails: OperatorError for a token file */
function openClients(
  config: ConsoleConfig,
  { logger }: Pick<ServiceEnvironment, 'logger'>,
): Readonly<Record<EndpointKind, EndpointClient>> {
  const open = (path: string | undefined, flag: string) => {
    const token = path === undefined ? undefined : new TokenFile({ path, flag, logger, clock: systemClock });
    return new EndpointClient({ timeoutMs: config.nodeTimeout, headers: () => token?.headers() ?? {} });
  };
  return {
    node: open(config.nodeTokenFile, '--node-token-file'),
    rollup: open(config.rollupTokenFile, '--rollup-token-file'),
    signer: open(config.signerTokenFile, '--signer-token-file'),
    wallet: open(config.walletTokenFile, '--wallet-token-file'),
  };
}
