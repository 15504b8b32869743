import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '@tetrad/types';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Caller } from './caller.js';
import type { Connection } from './define-method.js';
import type { Dispatcher } from './dispatcher.js';
import { writeJson } from './json.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';

export interface RpcWebSocketOptions {
  readonly dispatcher: Dispatcher;
  readonly maxBodyBytes: number;
  readonly logger: Logger;
  /** Messages per second and client address, loopback excepted; 0 for no limit. */
  readonly rateLimit?: number;
  /** Connections at a time. */
  readonly maxConnections?: number;
  readonly callerOf?: (request: IncomingMessage) => Pick<Caller, 'subject' | 'may'>;
}

export interface RpcWebSocket {
  /** Takes over a connection that asks for a WebSocket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all connections. */
  close(): void;
}

/** A client that does not read fast enough is cut off when so much waits for it. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Messages of one connection that are answered at a time; further ones wait in the socket. */
const MAX_RUNNING = 256;
const HEARTBEAT_MS = 30_000;
/** Close codes of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;

/** JSON-RPC over WebSocket, with notifications pushed to the connection they belong to. */
export function createRpcWebSocket(options: RpcWebSocketOptions): RpcWebSocket {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxBodyBytes,
    perMessageDeflate: false,
  });
  const limiter = createRateLimiter(options.rateLimit);
  const alive = new WeakSet<WebSocket>();
  const heartbeat = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.has(socket)) socket.terminate();
      alive.delete(socket);
      socket.ping();
    }
  }, HEARTBEAT_MS).unref();

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    serve(socket, request, { ...options, limiter });
  });

  return {
    handleUpgrade(request, socket, head) {
      if (server.clients.size >= (options.maxConnections ?? 1_000)) {
        socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
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

function serve(
  socket: WebSocket,
  request: IncomingMessage,
  options: RpcWebSocketOptions & { limiter: RateLimiter | undefined },
): void {
  const address = request.socket.remoteAddress ?? '';
  const controller = new AbortController();
  const closeListeners = new Set<() => void>();
  const send = (text: string) => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_WAITING_BYTES) {
      options.logger.warn('WebSocket client is too slow and is cut off', {
        waitingBytes: socket.bufferedAmount,
      });
      socket.terminate();
      return;
    }
    socket.send(text);
  };
  const connection: Connection = {
    notify: (method, params) => send(writeJson({ jsonrpc: '2.0', method, params })),
    onClose(listener) {
      // A slow call may get round to it only after the client has gone.
      if (controller.signal.aborted) listener();
      else closeListeners.add(listener);
    },
  };
  const caller: Caller = {
    headers: {},
    ...options.callerOf?.(request),
    connection,
    signal: controller.signal,
  };
  let running = 0;
  socket.on('message', (data: RawData) => {
    if (options.limiter?.admits(address) === false)
      return socket.close(POLICY_VIOLATION, 'too many requests');
    if (++running === MAX_RUNNING) socket.pause();
    void options.dispatcher.handle(toBytes(data), caller).then((text) => {
      if (--running === MAX_RUNNING - 1) socket.resume();
      if (text !== undefined) send(text);
    });
  });
  // A protocol error of the client closes the connection; there is nobody else to tell.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    controller.abort();
    for (const listener of closeListeners) listener();
  });
}

function toBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
