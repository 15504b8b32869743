import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ServerOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Logger } from '@tetrad/types';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { createAuthenticator, type AuthenticationExtras } from './authentication.js';
import { createCorsRule, type CorsRule } from './cors.js';
import type { ConfigOf } from './define-options.js';
import { assertSafeExposure } from './exposure.js';
import { createGate, sendDenial, type AccessFlags, type Gate } from './gate.js';
import { createHostRule } from './host-allow-list.js';
import { closeGracefully, createHttpListener, listen } from './listen.js';
import type { ServiceMetrics } from './metrics.js';
import { createOperationsApp } from './operations.js';
import type { ReadinessChecks } from './readiness.js';
import type { plainServiceOptions } from './service-options.js';
import { tlsServerOptions } from './tls/server-options.js';
import type { RequestTracing } from './tracing.js';

/** Values of the options that every service has. */
export type ServiceConfig = ConfigOf<ReturnType<typeof plainServiceOptions>>;

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** TLS that a service brings instead of that of `--tls-cert-file`. */
export interface ServerTls {
  readonly options: ServerOptions;
  /** Whether a client that connected may go on; all may when absent. */
  readonly admits?: (socket: TLSSocket) => boolean;
}

export interface ServiceDefinition {
  readonly name: string;
  readonly version: string;
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  /** Instead of `--cors-origins`. */
  readonly cors?: CorsRule;
  /** Of a service whose options of hosts and origins have other names. */
  readonly accessFlags?: AccessFlags;
  readonly tls?: ServerTls | undefined;
  /** JSON-RPC; called in front of express for its paths. */
  readonly rpc?: { readonly paths: readonly string[]; readonly handle: RequestHandler };
  /** Routes for callers who have passed authentication. */
  readonly routes?: (app: Express) => void;
  /** Takes what neither JSON-RPC nor a route takes, after authentication; 404 when absent. */
  readonly otherwise?: RequestHandler;
  /** Routes for anyone who can reach the port, such as `/upcheck`. */
  readonly publicRoutes?: (app: Express) => void;
  /** Takes over connections that ask for a WebSocket, after the same checks as requests. */
  readonly webSocket?: UpgradeHandler;
  /** Tokens and permissions beside those of the common options. */
  readonly authentication?: AuthenticationExtras;
  readonly readiness?: ReadinessChecks;
  readonly tracing?: RequestTracing | undefined;
  /** Called first when the service stops, while running requests finish: end subscriptions, stop producing. */
  readonly onDrain?: () => Promise<void> | void;
  /** Called when nothing runs any more: close what the service holds. */
  readonly onStop?: () => Promise<void> | void;
}

export interface RunningService {
  /** Base URL of the service, without a slash at the end. */
  readonly url: string;
  /** Base URL of the operations port. */
  readonly opsUrl: string;
  /** Refuses new requests, finishes the running ones, closes. Calling it again gives the same promise. */
  stop(): Promise<void>;
}

/**
 * Opens the service's port and its operations port.
 *
 * Fails: StartupError when it would be open to a network unauthenticated, a file is unusable or a port is taken
 */
export async function startService(definition: ServiceDefinition): Promise<RunningService> {
  const { config, logger } = definition;
  const tls = definition.tls?.options ?? tlsServerOptions(config);
  const admits = definition.tls?.admits;
  const authenticator = await createAuthenticator(config, definition.authentication);
  assertSafeExposure({
    host: config.httpListenHost,
    authenticated: authenticator !== undefined || tls?.ca !== undefined || admits !== undefined,
    insecure: config.insecure,
  });
  const cors = definition.cors ?? createCorsRule(config.corsOrigins);
  const host = createHostRule([...config.hostAllowlist, config.httpListenHost]);
  const gate = createGate({ ...definition, service: definition.name, host, cors, authenticator });
  const state: ServerState = { stopping: false, upgraded: new Set() };
  const server = createHttpListener(requestListener(definition, { gate, cors, state }), {
    timeouts: {
      headersMs: config.httpHeadersTimeout,
      requestMs: config.httpRequestTimeout,
      keepAliveMs: config.httpKeepAliveTimeout,
    },
    maxConnections: config.httpMaxConnections,
    tls,
  });
  if (admits !== undefined) dropStrangers(server, admits);
  if (definition.webSocket !== undefined) {
    server.on('upgrade', upgradeListener(definition.webSocket, { gate, state }));
  }

  const ops = createOperationsServer(definition, state);
  const url = await listen(server, {
    host: config.httpListenHost,
    port: config.httpListenPort,
    portOption: '--http-listen-port',
    secure: tls !== undefined,
  });
  const opsUrl = await listen(ops, {
    host: config.opsListenHost,
    port: config.opsListenPort,
    portOption: '--ops-listen-port',
    secure: false,
  }).catch(async (error: unknown) => {
    await closeGracefully(server, 0);
    throw error;
  });
  server.on('error', (error) => logger.error('port failed', { error }));
  logger.info('service started', { url, opsUrl, version: definition.version });
  let stopped: Promise<void> | undefined;
  return { url, opsUrl, stop: () => (stopped ??= stopService({ definition, server, ops, state })) };
}

/** In front of the server's own listener, so that nothing of a stranger is read. */
function dropStrangers(server: Server, admits: (socket: TLSSocket) => boolean): void {
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    if (!admits(socket)) socket.destroy();
  });
}

interface ServerState {
  stopping: boolean;
  /** Connections that became WebSockets; the HTTP server no longer knows them. */
  readonly upgraded: Set<Duplex>;
}

function createOperationsServer(definition: ServiceDefinition, state: ServerState): Server {
  const readiness = {
    ...definition.readiness,
    service: () => (state.stopping ? 'stopping' : undefined),
  };
  const { httpHeadersTimeout, httpMaxConnections } = definition.config;
  return createHttpListener(createOperationsApp({ ...definition, readiness }), {
    timeouts: { headersMs: httpHeadersTimeout, requestMs: httpHeadersTimeout, keepAliveMs: 5_000 },
    maxConnections: httpMaxConnections,
  });
}

function requestListener(
  definition: ServiceDefinition,
  { gate, cors, state }: { gate: Gate; cors: CorsRule; state: ServerState },
): RequestHandler {
  const rpcPaths = new Set(definition.rpc?.paths);
  const publicApp = createApp(definition.publicRoutes, definition.logger, (request, response) =>
    enter(request, response),
  );
  const notFound: RequestHandler = (_request, response) => sendJson(response, 404, { error: 'not found' });
  const otherwise = definition.otherwise ?? notFound;
  // Without routes there is nothing that express would look for.
  const app =
    definition.routes === undefined ? otherwise : createApp(definition.routes, definition.logger, otherwise);
  const route: RequestHandler = (request, response) => {
    if (definition.rpc !== undefined && rpcPaths.has(pathOf(request)))
      definition.rpc.handle(request, response);
    else app(request, response);
  };
  const serve = definition.tracing?.wrap(route) ?? route;
  const enter: RequestHandler = (request, response) => {
    if (!gate.authenticates) return serve(request, response);
    void gate.admit(request).then((denial) => {
      if (denial === undefined) serve(request, response);
      else sendDenial(response, denial);
    });
  };
  return (request, response) => {
    if (state.stopping) response.setHeader('Connection', 'close');
    const denial = gate.screen(request);
    if (denial !== undefined) return sendDenial(response, denial);
    if (cors.apply(request, response)) return;
    if (definition.publicRoutes === undefined || rpcPaths.has(pathOf(request))) enter(request, response);
    else publicApp(request, response);
  };
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function createApp(
  routes: ((app: Express) => void) | undefined,
  logger: Logger,
  otherwise: RequestHandler,
): Express {
  const app = express().disable('x-powered-by').disable('etag');
  routes?.(app);
  app.use((request, response) => otherwise(request, response));
  // Express knows an error handler by its four parameters.
  const onError: ErrorRequestHandler = (error: { status?: unknown }, request, response, _next) => {
    const status = typeof error.status === 'number' && error.status < 500 ? error.status : 500;
    if (status === 500) logger.error('request failed', { path: request.path, error });
    if (response.headersSent) response.destroy();
    else sendJson(response, status, { error: status === 500 ? 'internal error' : 'bad request' });
  };
  app.use(onError);
  return app;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function upgradeListener(
  handle: UpgradeHandler,
  { gate, state }: { gate: Gate; state: ServerState },
): UpgradeHandler {
  return (request, socket, head) => {
    const refuse = ({ status, problem }: { status: number; problem: string }) =>
      socket.end(`HTTP/1.1 ${status} ${problem}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    socket.on('error', () => socket.destroy());
    state.upgraded.add(socket);
    socket.once('close', () => state.upgraded.delete(socket));
    const denial = gate.screen(request);
    if (denial !== undefined) return refuse(denial);
    if (!gate.authenticates) return handle(request, socket, head);
    void gate
      .admit(request)
      .then((later) => (later === undefined ? handle(request, socket, head) : refuse(later)));
  };
}

async function stopService(parts: {
  definition: ServiceDefinition;
  server: Server;
  ops: Server;
  state: ServerState;
}): Promise<void> {
  const { definition, server, ops, state } = parts;
  const { logger, config } = definition;
  state.stopping = true;
  logger.info('service stopping');
  // What is left of the time is for `onStop`.
  const finishMs = config.shutdownTimeout * 0.8;
  const closed = closeGracefully(server, finishMs, () =>
    state.upgraded.forEach((socket) => socket.destroy()),
  );
  await definition.onDrain?.();
  if (!(await closed)) logger.warn('requests aborted at shutdown', { afterMs: finishMs });
  await definition.onStop?.();
  // Last, so that /readyz and /metrics tell of the stop while it goes on.
  await closeGracefully(ops, 0);
  await definition.tracing?.stop();
  logger.info('service stopped');
}
