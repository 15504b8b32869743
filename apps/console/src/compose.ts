import { fileURLToPath } from 'node:url';
import {
  AbiFolder,
  EndpointClient,
  EndpointsFile,
  PassedWrites,
  SourceCompiler,
  type EndpointKind,
  type WritableKind,
} from '@tetrad/console';
import {
  OptionError,
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

/**
 * Opens the ports of the console.
 * @throws OperatorError with one line for the operator
 */
export async function composeConsole(
  config: ConsoleConfig,
  environment: ServiceEnvironment,
): Promise<RunningService> {
  assertCallersOfWrites(config);
  await assertCanServe(config);
  const endpoints = new EndpointsFile(config.endpointsFile, systemClock);
  const abis = config.abiFolder === undefined ? undefined : new AbiFolder(config.abiFolder, systemClock);
  const files = await readPageFiles(PAGE_FOLDER);
  const clients = openClients(config, environment);
  const writers = openWriters(config, environment);
  const passed = new PassedWrites(systemClock);
  const compiler = config.verifySources ? new SourceCompiler() : undefined;
  return startService({
    ...environment,
    config,
    routes: consoleRoutes({
      endpoints,
      abis,
      clients,
      writers,
      passed,
      compiler,
      logger: environment.logger,
      accountsClaim: config.authJwtAccountsClaim,
    }),
    // The page itself says nothing of the network, and it is where a token is entered.
    publicRoutes: (app) =>
      app.use((request, response, next) =>
        request.path.startsWith('/api/') ? next() : sendPage(files, request, response),
      ),
    async onStop() {
      await compiler?.close();
      for (const client of [...Object.values(clients), ...Object.values(writers)]) await client?.close();
    },
  });
}

/**
 * A client for each kind of service, which none of the others' tokens reach.
 * @throws OperatorError for a token file
 */
function openClients(
  config: ConsoleConfig,
  { logger }: Pick<ServiceEnvironment, 'logger'>,
): Readonly<Record<EndpointKind, EndpointClient>> {
  const open = (path: string | undefined, flag: string) => openClient({ path, flag, logger, config });
  return {
    node: open(config.nodeTokenFile, '--node-token-file'),
    rollup: open(config.rollupTokenFile, '--rollup-token-file'),
    signer: open(config.signerTokenFile, '--signer-token-file'),
    wallet: open(config.walletTokenFile, '--wallet-token-file'),
  };
}

/**
 * Clients that show tokens for writing; reads never go through them.
 * @throws OperatorError for a token file
 */
function openWriters(
  config: ConsoleConfig,
  { logger }: Pick<ServiceEnvironment, 'logger'>,
): Readonly<Record<WritableKind, EndpointClient | undefined>> {
  const open = (path: string | undefined, flag: string) =>
    path === undefined ? undefined : openClient({ path, flag, logger, config });
  return {
    node: open(config.nodeWriteTokenFile, '--node-write-token-file'),
    signer: open(config.signerWriteTokenFile, '--signer-write-token-file'),
  };
}

function openClient({
  config,
  ...file
}: {
  readonly path: string | undefined;
  readonly flag: string;
  readonly config: Pick<ConsoleConfig, 'nodeTimeout'>;
} & Pick<ServiceEnvironment, 'logger'>): EndpointClient {
  const { path } = file;
  const token = path === undefined ? undefined : new TokenFile({ ...file, path, clock: systemClock });
  return new EndpointClient({ timeoutMs: config.nodeTimeout, headers: () => token?.headers() ?? {} });
}

/**
 * A write is made in the name of the caller's token.
 * @throws OptionError where callers have none
 */
function assertCallersOfWrites(config: ConsoleConfig): void {
  if (config.authJwtKeyFile !== undefined || config.authJwtJwksUrl !== undefined) return;
  for (const [path, flag] of [
    [config.nodeWriteTokenFile, '--node-write-token-file'],
    [config.signerWriteTokenFile, '--signer-write-token-file'],
  ] as const)
    if (path !== undefined) throw new OptionError(flag, 'needs --auth-jwt-key-file or --auth-jwt-jwks-url');
}
