import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Logger } from '@tetrad/types';
import { readAccess } from './assert-can-serve.js';
import type { AuthenticationExtras } from './authentication.js';
import { createCorsRule, type CorsRule } from './cors.js';
import { createGate, type AccessFlags } from './gate.js';
import { createHostRule } from './host-allow-list.js';
import { closeGracefully, createHttpListener, listen } from './listen.js';
import type { ServiceMetrics } from './metrics.js';
import { createOperationsApp } from './operations.js';
import type { ReadinessChecks } from './readiness.js';
import { ReadinessQuestions } from './readiness-questions.js';
import {
  requestListener,
  upgradeListener,
  type ServerState,
  type ServiceRoutes,
  type UpgradeHandler,
} from './request-listener.js';
import type { ServiceConfig } from './service-options.js';
import type { ServerTls } from './tls/server-options.js';
import type { RequestTracing } from './tracing/request-tracing.js';
import { TlsRenewal } from './tls/tls-renewal.js';

export interface ServiceDefinition extends ServiceRoutes {
  readonly name: string;
  readonly version: string;
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  /** Instead of `--cors-origins`. */
  readonly cors?: CorsRule;
  /** Flags named in refusals, for a service whose options of hosts and origins have other names. */
  readonly accessFlags?: AccessFlags;
  readonly tls?: ServerTls | undefined;
  /** Takes over connections that ask for a WebSocket, after the same checks as requests. */
  readonly webSocket?: UpgradeHandler;
  /** Tokens and permissions beside those of the common options. */
  readonly authentication?: AuthenticationExtras;
  readonly readiness?: ReadinessChecks;
  readonly tracing?: RequestTracing | undefined;
  /** Called first when the service stops, while running requests finish: end subscriptions, stop producing. */
  readonly onDrain?: () => Promise<void> | void;
  /** Called when all requests have ended: close the resources of the service. */
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
 * @throws StartupError when it would be open to a network unauthenticated, a file is unusable or a port is taken
 */
export async function startService(definition: ServiceDefinition): Promise<RunningService> {
  const { config, logger } = definition;
  const access = await readAccess(config, definition);
  const { authenticator } = access;
  const tls = access.tls?.options;
  const admits = access.tls?.admits;
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
  const renewal = renewalOf(server, access.tls, logger);
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
  renewal?.start();
  logger.info('service started', { url, opsUrl, version: definition.version });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    renewal?.stop();
    return (stopped ??= stopService({ definition, server, ops, state }));
  };
  return { url, opsUrl, stop };
}

/** @returns undefined without TLS, or when its files are not read again */
function renewalOf(server: Server, tls: ServerTls | undefined, logger: Logger): TlsRenewal | undefined {
  if (tls?.reread === undefined) return undefined;
  const { options: present, reread: read } = tls;
  return new TlsRenewal(server as HttpsServer, { present, read, logger });
}

/** Registered before the server's own listener, so that nothing of an unauthenticated client is read. */
function dropStrangers(server: Server, admits: (socket: TLSSocket) => boolean): void {
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    if (!admits(socket)) socket.destroy();
  });
}

function createOperationsServer(definition: ServiceDefinition, state: ServerState): Server {
  const readiness = new ReadinessQuestions({
    ...definition.readiness,
    service: () => (state.stopping ? 'stopping' : undefined),
  });
  readiness.measure(definition.metrics);
  const { httpHeadersTimeout, httpMaxConnections } = definition.config;
  return createHttpListener(createOperationsApp({ ...definition, readiness }), {
    timeouts: { headersMs: httpHeadersTimeout, requestMs: httpHeadersTimeout, keepAliveMs: 5_000 },
    maxConnections: httpMaxConnections,
  });
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
  // The rest of the time is for `onStop`.
  const finishMs = config.shutdownTimeout * 0.8;
  const closed = closeGracefully(server, finishMs, () =>
    state.upgraded.forEach((socket) => socket.destroy()),
  );
  await definition.onDrain?.();
  if (!(await closed)) logger.warn('requests aborted at shutdown', { afterMs: finishMs });
  await definition.onStop?.();
  // Last, so that /readyz and /metrics report the stop while it is in progress.
  await closeGracefully(ops, 0);
  await definition.tracing?.stop();
  logger.info('service stopped');
}
