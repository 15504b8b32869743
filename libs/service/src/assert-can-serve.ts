import { createServer } from 'node:net';
import { isLoopback } from '@tetrad/rpc';
import { createAuthenticator, type Authenticator, type AuthenticationExtras } from './authentication.js';
import { listenError, type ListenAddress } from './listen.js';
import type { ServiceConfig } from './service-options.js';
import { OptionError, StartupError } from './startup-error.js';
import { tlsServerOptions, type ServerTls } from './tls/server-options.js';

/** Settings of a service in addition to the common options. */
export interface ServedWith {
  readonly authentication?: AuthenticationExtras | undefined;
  readonly tls?: ServerTls | undefined;
  /** Further ports that it opens. */
  readonly ports?: readonly ListenAddress[];
}

/** The options that are checked; the signer has its own for hosts and origins. */
export type ListeningConfig = Omit<ServiceConfig, 'corsOrigins' | 'hostAllowlist'>;

/** How callers are authenticated. */
export interface Access {
  readonly tls: ServerTls | undefined;
  readonly authenticator: Authenticator | undefined;
}

/**
 * Checks the options of TLS, tokens and exposure.
 * @throws OptionError when a part is missing; StartupError when a file is unusable, or the service would be exposed
 *   without authentication
 */
export async function readAccess(
  config: ListeningConfig,
  { tls: own, authentication }: Omit<ServedWith, 'ports'>,
): Promise<Access> {
  const options = own?.options ?? tlsServerOptions(config);
  const reread = own === undefined ? () => tlsServerOptions(config) ?? {} : own.reread;
  const tls = options === undefined ? undefined : { ...own, options, ...(reread && { reread }) };
  const authenticator = await createAuthenticator(config, authentication);
  assertSafeExposure({
    host: config.httpListenHost,
    authenticated: authenticator !== undefined || options?.ca !== undefined || own?.admits !== undefined,
    insecure: config.insecure,
  });
  return { tls, authenticator };
}

/**
 * Checks everything that decides whether the service can open its ports, before it opens a database or creates a file: a service
 * that is refused leaves nothing behind. A port that is taken afterwards is still refused by `startService`.
 * @throws as `readAccess`; OptionError when two options name one port; StartupError when a port is taken
 */
export async function assertCanServe(config: ListeningConfig, served: ServedWith = {}): Promise<void> {
  await readAccess(config, served);
  const { httpListenHost, httpListenPort, opsListenHost, opsListenPort } = config;
  const ports: readonly ListenAddress[] = [
    { host: httpListenHost, port: httpListenPort, portOption: '--http-listen-port' },
    { host: opsListenHost, port: opsListenPort, portOption: '--ops-listen-port' },
    ...(served.ports ?? []),
  ];
  refuseSamePorts(ports);
  for (const address of ports) await assertFree(address);
}

function refuseSamePorts(ports: readonly ListenAddress[]): void {
  for (const [index, { host, port, portOption }] of ports.entries()) {
    const other = ports.slice(0, index).find((one) => port !== 0 && one.port === port && one.host === host);
    if (other !== undefined)
      throw new OptionError(portOption, `${port} is that of ${other.portOption} as well`);
  }
}

function assertFree(address: ListenAddress): Promise<void> {
  const { host, port } = address;
  if (port === 0) return Promise.resolve();
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', (error) => fail(listenError(error, address)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => done()));
  });
}

/**
 * Refuses to open the service to a network without authentication of callers.
 * @throws StartupError when off loopback without tokens, client certificates or the operator's explicit word
 */
function assertSafeExposure(options: {
  readonly host: string;
  readonly authenticated: boolean;
  readonly insecure: boolean;
}): void {
  if (isLoopback(options.host) || options.authenticated || options.insecure) return;
  throw new StartupError(
    `--http-listen-host: ${options.host} is not loopback and callers are not authenticated; ` +
      'give --auth-jwt-key-file, --auth-jwt-jwks-url or --tls-client-ca-file, or accept the risk with --insecure',
  );
}
