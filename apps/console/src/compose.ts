import { fileURLToPath } from 'node:url';
import { EndpointsFile, NodeClient } from '@tetrad/console';
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

/** Where libs/bundle writes the page. */
const PAGE_FOLDER = fileURLToPath(new URL('../page/dist', import.meta.url));

/** Opens the ports of the console. Fails: OperatorError with one line for the operator */
export async function composeConsole(
  config: ConsoleConfig,
  environment: ServiceEnvironment,
): Promise<RunningService> {
  await assertCanServe(config);
  const endpoints = new EndpointsFile(config.endpointsFile, systemClock);
  const files = await readPageFiles(PAGE_FOLDER);
  const { nodeTokenFile: path } = config;
  const token =
    path === undefined
      ? undefined
      : new TokenFile({ path, flag: '--node-token-file', logger: environment.logger, clock: systemClock });
  const nodes = new NodeClient({ timeoutMs: config.nodeTimeout, headers: () => token?.headers() ?? {} });
  return startService({
    ...environment,
    config,
    routes: consoleRoutes({ endpoints, nodes, logger: environment.logger }),
    // The page itself says nothing of the network, and it is where a token is entered.
    publicRoutes: (app) =>
      app.use((request, response, next) =>
        request.path.startsWith('/api/') ? next() : sendPage(files, request, response),
      ),
    onStop: () => nodes.close(),
  });
}
