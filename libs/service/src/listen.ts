import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { StartupError, reasonOf } from './startup-error.js';

/** Slow or idle clients are dropped after these times, so that they cannot hold the service's connections. */
export interface HttpTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
}

/** How often Node checks for clients that have exceeded a time limit. */
const CHECK_INTERVAL_MS = 1_000;

/** Where a port is opened, and by which option. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly portOption: string;
}

export function createHttpListener(
  listener: RequestListener,
  options: {
    readonly timeouts: HttpTimeouts;
    readonly maxConnections: number;
    readonly tls?: ServerOptions | undefined;
  },
): Server {
  const { timeouts, maxConnections, tls } = options;
  const settings = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: Math.max(timeouts.requestMs, timeouts.headersMs),
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, timeouts.headersMs),
    noDelay: true,
  };
  const server =
    tls === undefined
      ? createHttpServer(settings, listener)
      : createHttpsServer({ ...settings, ...tls, handshakeTimeout: timeouts.headersMs }, listener);
  server.maxConnections = maxConnections;
  return server;
}

/**
 * Listens, and returns the base URL.
 * @throws StartupError that names the option and the port
 */
export async function listen(
  server: Server,
  at: ListenAddress & { readonly secure: boolean },
): Promise<string> {
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => fail(listenError(error, at)));
    server.listen({ host: at.host, port: at.port }, done);
  });
  server.removeAllListeners('error');
  const { port } = server.address() as AddressInfo;
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  return `${at.secure ? 'https' : 'http'}://${host}:${port}`;
}

/** The message to the operator about a port that cannot be opened. */
export function listenError(
  error: NodeJS.ErrnoException,
  { host, port, portOption }: ListenAddress,
): StartupError {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is already in use`,
    EACCES: `port ${port} on ${host} needs more rights than this user has`,
    EADDRNOTAVAIL: `this host has no address ${host}`,
    ENOTFOUND: `cannot resolve ${host}`,
  };
  return new StartupError(`${portOption}: ${problems[error.code ?? ''] ?? reasonOf(error)}`);
}

/**
 * Refuses new connections, lets running requests finish, and closes the remaining ones after the time limit.
 * @param cutOthers - ends connections that the server counts but no longer serves (WebSockets)
 * @returns true when everything had finished
 */
export async function closeGracefully(
  server: Server,
  timeoutMs: number,
  cutOthers: () => void = () => undefined,
): Promise<boolean> {
  let cut = false;
  const closed = new Promise<void>((done) => server.close(() => done()));
  // A kept-alive connection becomes idle only when its last answer is out; so look again and again.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => {
    cut = true;
    server.closeAllConnections();
    cutOthers();
  }, timeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
  return !cut;
}
