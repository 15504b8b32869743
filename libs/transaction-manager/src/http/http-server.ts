import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { listenOnSocket } from './unix-socket.js';
import type { RequestHandler } from './request-handler.js';

/** Where a port listens; 0 for any free one. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** Times after which a slow or idle client is dropped. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 };
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** Connections that a port holds. */
export const MAX_CONNECTIONS = 1_000;
const CLOSE_TIMEOUT_MS = 10_000;

/** Whether a new connection stays; before TLS, whose handshake costs the client nothing. */
export type AdmitsConnection = (socket: Socket) => boolean;

/** What a port asks of connections. */
export interface PortRules {
  readonly tls?: ServerOptions | undefined;
  /** All stay without it, up to the connections that a port holds. */
  readonly admits?: AdmitsConnection | undefined;
}

/** A port of the manager. */
export interface HttpPort {
  /** Ends with `/`; for a socket file `http://localhost/`. */
  readonly url: string;
  /** Refuses what is new, and lets what runs finish for a bounded time. */
  close(): Promise<void>;
}

/**
 * Listens on TCP, with TLS where it is given, or on a file.
 * @throws as `listen` of a server
 */
export async function listenHttp(
  at: Listen | { readonly socket: string },
  handler: RequestHandler,
  { tls, admits = () => true }: PortRules = {},
): Promise<HttpPort> {
  const server =
    tls === undefined
      ? createHttpServer(TIMEOUTS, handler)
      : createHttpsServer({ ...TIMEOUTS, ...tls, handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, handler);
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', (socket) => {
    if (!admits(socket)) socket.destroy();
  });
  if ('socket' in at) {
    await listenOnSocket(server, at.socket);
    return { url: 'http://localhost/', close: () => closeServer(server) };
  }
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen({ host: at.host, port: at.port }, done);
  });
  server.removeAllListeners('error');
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  const scheme = tls === undefined ? 'http' : 'https';
  const url = `${scheme}://${host}:${(server.address() as AddressInfo).port}/`;
  return { url, close: () => closeServer(server) };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
