import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { systemClock, type Clock, type Logger } from '@tetrad/types';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Dispatcher } from './dispatcher.js';
import { createRateLimiter } from './rate-limiter.js';
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
  const subjects = new WeakMap<WebSocket, string>();
  const subjectOf = (request: IncomingMessage) => options.callerOf?.(request).subject;
  const countOf = (subject: string) =>
    [...server.clients].filter((socket) => subjects.get(socket) === subject).length;
  const heartbeat = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.has(socket)) socket.terminate();
      alive.delete(socket);
      socket.ping();
    }
  }, HEARTBEAT_MS).unref();

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    alive.add(socket);
    const subject = subjectOf(request);
    if (subject !== undefined) subjects.set(socket, subject);
    socket.on('pong', () => alive.add(socket));
    const address = request.socket.remoteAddress ?? '';
    new WebSocketSession(socket, { address, caller: options.callerOf?.(request) ?? {} }, parts);
  });

  return {
    handleUpgrade(request, socket, head) {
      if (server.clients.size >= (options.maxConnections ?? 1_000)) {
        refuse(socket, '503 Service Unavailable');
        return;
      }
      const { maxConnectionsOfSubject: most = Infinity } = options;
      const subject = most === Infinity ? undefined : subjectOf(request);
      if (subject !== undefined && countOf(subject) >= most) {
        refuse(socket, '429 Too Many Requests');
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

/** Also closes the client's side: the server has no time-out for the connection, and a client that stays would keep it. */
function refuse(socket: Duplex, status: string): void {
  const answer = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  socket.end(answer, () => socket.destroy());
}
