import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { systemClock, type Clock, type Logger } from '@tetrad/types';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Dispatcher } from './dispatcher.js';
import { createRateLimiter } from './rate-limiter.js';
import { refuseUpgrade } from './refuse-upgrade.js';
import { WebSocketSession, type Opener, type SessionParts } from './web-socket-session.js';

export interface RpcWebSocketOptions {
  readonly dispatcher: Dispatcher;
  readonly maxBodyBytes: number;
  readonly logger: Logger;
  /** Calls per second and client address, loopback excepted; 0 for no limit. */
  readonly rateLimit?: number;
  /** Connections at a time. */
  readonly maxConnections?: number;
  /** Of these, connections with tokens of one subject; without tokens there is no such bound. */
  readonly maxConnectionsOfSubject?: number;
  /** The process's when absent. */
  readonly clock?: Clock;
  /** Authenticates a client that connects; without it every client may connect. */
  readonly callerOf?: (request: IncomingMessage) => Opener['caller'];
}

export interface RpcWebSocket {
  /** Takes over a connection that asks for a WebSocket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all connections. */
  close(): void;
}

const HEARTBEAT_MS = 30_000;
/** Close code of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;

/** JSON-RPC over WebSocket, with notifications pushed to the connection they belong to. */
export function createRpcWebSocket(options: RpcWebSocketOptions): RpcWebSocket {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxBodyBytes,
    perMessageDeflate: false,
  });
  const parts: SessionParts = {
    dispatcher: options.dispatcher,
    logger: options.logger,
    clock: options.clock ?? systemClock,
    limiter: createRateLimiter(options.rateLimit),
    waitingBytes: () => [...server.clients].reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0),
  };
  const alive = new WeakSet<WebSocket>();
  const places = new ConnectionPlaces(server, options);
  const heartbeat = startHeartbeat(server, alive);

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    alive.add(socket);
    places.take(socket, request);
    for (const sign of ['message', 'ping', 'pong']) socket.on(sign, () => alive.add(socket));
    const address = request.socket.remoteAddress ?? '';
    new WebSocketSession(socket, { address, caller: options.callerOf?.(request) ?? {} }, parts);
  });

  return {
    handleUpgrade(request, socket, head) {
      const refusal = places.refusalOf(request);
      if (refusal !== undefined) {
        refuseUpgrade(socket, refusal);
        return;
      }
      server.handleUpgrade(request, socket, head, (accepted) => server.emit('connection', accepted, request));
    },
    close() {
      clearInterval(heartbeat);
      for (const socket of server.clients) socket.close(GOING_AWAY, 'going away');
      server.close();
    },
  };
}

/**
 * Ends connections whose client has sent nothing since the last ping, and pings the others.
 *
 * A connection that is not read since many of its calls run is passed over: what its client sends stays unread. It is
 * read again once calls have ended, each of which has a time limit, and a client that is gone ends it then.
 */
function startHeartbeat(server: WebSocketServer, alive: WeakSet<WebSocket>) {
  return setInterval(() => {
    for (const socket of server.clients) {
      if (socket.isPaused) continue;
      if (!alive.has(socket)) socket.terminate();
      alive.delete(socket);
      socket.ping();
    }
  }, HEARTBEAT_MS).unref();
}

/** Which connections may be opened: so many in all, and so many of one subject. */
class ConnectionPlaces {
  private readonly subjects = new WeakMap<WebSocket, string>();

  constructor(
    private readonly server: WebSocketServer,
    private readonly options: Pick<
      RpcWebSocketOptions,
      'callerOf' | 'maxConnections' | 'maxConnectionsOfSubject'
    >,
  ) {}

  /** Status with which a connection is refused; undefined when there is room. */
  refusalOf(request: IncomingMessage): string | undefined {
    const { maxConnections = 1_000, maxConnectionsOfSubject: most = Infinity } = this.options;
    if (this.server.clients.size >= maxConnections) return '503 Service Unavailable';
    const subject = most === Infinity ? undefined : this.subjectOf(request);
    if (subject !== undefined && this.countOf(subject) >= most) return '429 Too Many Requests';
    return undefined;
  }

  take(socket: WebSocket, request: IncomingMessage): void {
    const subject = this.subjectOf(request);
    if (subject !== undefined) this.subjects.set(socket, subject);
  }

  private subjectOf(request: IncomingMessage): string | undefined {
    return this.options.callerOf?.(request).subject;
  }

  private countOf(subject: string): number {
    return [...this.server.clients].filter((socket) => this.subjects.get(socket) === subject).length;
  }
}
