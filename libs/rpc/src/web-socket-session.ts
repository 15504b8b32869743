import { setMaxListeners } from 'node:events';
import type { Clock, Logger } from '@tetrad/types';
import type { RawData, WebSocket } from 'ws';
import type { Caller } from './caller.js';
import type { Connection } from './define-method.js';
import type { Dispatcher } from './dispatcher.js';
import { writeJson } from './json-text.js';
import type { RateLimiter } from './rate-limiter.js';

export interface SessionParts {
  readonly dispatcher: Dispatcher;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly limiter: RateLimiter | undefined;
  /** Bytes that wait for all clients together. */
  readonly waitingBytes: () => number;
}

/** The caller that opened a connection, and the expiry of its token. */
export interface Opener {
  readonly address: string;
  readonly caller: Pick<Caller, 'subject' | 'claims' | 'may'> & { readonly expiresMs?: number | undefined };
}

/** A client that reads too slowly is disconnected when so many bytes wait for it. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** With so many bytes waiting for it, a client is disconnected when too much waits for all clients together. */
const NOTICEABLE_BYTES = 1024 * 1024;
const MAX_WAITING_TOGETHER_BYTES = 256 * 1024 * 1024;
/** Messages of one connection that are answered at a time; further ones wait in the socket. */
const MAX_RUNNING = 256;
/** Close code of RFC 6455, section 7.4.1. */
const POLICY_VIOLATION = 1008;
/** The longest delay that a timer takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** One WebSocket connection: its calls, its notifications and its end. */
export class WebSocketSession {
  private readonly controller = new AbortController();
  private readonly closeListeners = new Set<() => void>();
  private readonly caller: Caller;
  private cancelExpiry: (() => void) | undefined;
  private running = 0;

  constructor(
    private readonly socket: WebSocket,
    private readonly opener: Opener,
    private readonly parts: SessionParts,
  ) {
    // Each call that runs may listen.
    setMaxListeners(0, this.controller.signal);
    const { limiter } = parts;
    this.caller = {
      headers: {},
      address: opener.address,
      ...opener.caller,
      connection: this.connection(),
      signal: this.controller.signal,
      ...(limiter === undefined ? {} : { admits: () => limiter.admits(opener.address) }),
    };
    socket.on('message', (data: RawData) => this.take(data));
    // A protocol error of the client closes the connection; no report is needed.
    socket.on('error', () => undefined);
    socket.on('close', () => this.end());
    this.endAtExpiry();
  }

  private connection(): Connection {
    return {
      notify: (method, params) => this.send(writeJson({ jsonrpc: '2.0', method, params })),
      onClose: (listener) => {
        // A slow call may reach this only after the client has gone.
        if (this.controller.signal.aborted) listener();
        else this.closeListeners.add(listener);
      },
    };
  }

  private take(data: RawData): void {
    // Messages still come between our closing and the client's.
    if (this.controller.signal.aborted) return;
    if (this.isExpired()) return this.expire();
    if (this.caller.admits?.() === false) return this.socket.close(POLICY_VIOLATION, 'too many requests');
    if (++this.running === MAX_RUNNING) this.socket.pause();
    void this.parts.dispatcher.handle(toBytes(data), this.caller).then((text) => {
      if (--this.running === MAX_RUNNING - 1) this.socket.resume();
      if (text !== undefined) this.send(text);
    });
  }

  private send(text: string): void {
    const { socket } = this;
    if (socket.readyState !== socket.OPEN || this.controller.signal.aborted) return;
    if (this.isTooSlow(socket.bufferedAmount)) {
      this.parts.logger.warn('WebSocket client too slow, closing', {
        waitingBytes: socket.bufferedAmount,
      });
      socket.terminate();
      return;
    }
    socket.send(text);
  }

  private isTooSlow(waitingBytes: number): boolean {
    if (waitingBytes > MAX_WAITING_BYTES) return true;
    return waitingBytes > NOTICEABLE_BYTES && this.parts.waitingBytes() > MAX_WAITING_TOGETHER_BYTES;
  }

  private isExpired(): boolean {
    return this.parts.clock.now() >= (this.opener.caller.expiresMs ?? Infinity);
  }

  /** The token admitted the client until then; its calls and subscriptions end with it. */
  private endAtExpiry(): void {
    const { expiresMs } = this.opener.caller;
    if (expiresMs === undefined) return;
    const { clock } = this.parts;
    const delayMs = Math.min(Math.max(expiresMs - clock.now(), 0), MAX_DELAY_MS);
    this.cancelExpiry = clock.schedule(delayMs, () => {
      if (this.isExpired()) this.expire();
      else this.endAtExpiry();
    });
  }

  private expire(): void {
    this.end();
    this.socket.close(POLICY_VIOLATION, 'the token has expired');
  }

  /** Once: ends calls and subscriptions. */
  private end(): void {
    if (this.controller.signal.aborted) return;
    this.cancelExpiry?.();
    this.controller.abort();
    for (const listener of this.closeListeners) listener();
  }
}

function toBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
