import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseUpgrade } from '@tetrad/rpc';
import type { Logger } from '@tetrad/types';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { CorsRule } from './cors.js';
import { sendDenial, type Gate } from './gate.js';
import type { RequestTracing } from './tracing/request-tracing.js';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The handlers of a service's requests. */
export interface ServiceRoutes {
  /** JSON-RPC; called in front of express for its paths. */
  readonly rpc?: { readonly paths: readonly string[]; readonly handle: RequestHandler };
  /** Routes for authenticated callers. */
  readonly routes?: (app: Express) => void;
  /** Handles the remaining requests, after authentication; 404 when absent. */
  readonly otherwise?: RequestHandler;
  /** Routes without authentication, such as `/upcheck`. */
  readonly publicRoutes?: (app: Express) => void;
}

/** The parts that the listeners of a service share. */
export interface ServerState {
  stopping: boolean;
  /** Connections that became WebSockets; the HTTP server no longer knows them. */
  readonly upgraded: Set<Duplex>;
}

/** Checks a request, and passes it to its handler. */
export function requestListener(
  definition: ServiceRoutes & {
    readonly logger: Logger;
    readonly tracing?: RequestTracing | undefined;
  },
  { gate, cors, state }: { gate: Gate; cors: CorsRule; state: ServerState },
): RequestHandler {
  const rpcPaths = new Set(definition.rpc?.paths);
  const publicApp = createApp(definition.publicRoutes, definition.logger, (request, response) =>
    enter(request, response),
  );
  const notFound: RequestHandler = (_request, response) => sendJson(response, 404, { error: 'not found' });
  const otherwise = definition.otherwise ?? notFound;
  // Without routes express has nothing to match.
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

/** Passes on connections that request a WebSocket, after the same checks. */
export function upgradeListener(
  handle: UpgradeHandler,
  { gate, state }: { gate: Gate; state: ServerState },
): UpgradeHandler {
  return (request, socket, head) => {
    const refuse = ({ status, problem }: { status: number; problem: string }) =>
      refuseUpgrade(socket, `${status} ${problem}`);
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
