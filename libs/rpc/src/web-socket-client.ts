import { WebSocket, type RawData } from 'ws';
import { z } from 'zod';
import type { CallParams } from './client.js';
import type { MethodTable, ParamsOf, ResultOf } from './define-method.js';
import { writeJson } from './json-text.js';
import { readJson } from './json.js';
import { parseAnswer, type RpcAnswer, type RpcTransportError } from './rpc-answer.js';
import { encodeParams, resultOf, unusable } from './typed-call.js';

export interface RpcWebSocketClientOptions {
  /** `ws`, `wss`, or the `http` or `https` of the same place. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For opening, and for the answer of each call. */
  readonly timeoutMs?: number;
  /** Bytes of one message; a longer one ends the connection. */
  readonly maxMessageBytes?: number;
  /** Ends the connection when it is aborted, also before it is open. */
  readonly signal?: AbortSignal;
  /** Hears each notification, in their order. */
  readonly onNotice: (method: string, params: unknown) => void;
}

/** A connection to a JSON-RPC service that also sends notifications. */
export interface RpcWebSocketClient<Table extends MethodTable> {
  /** @throws RpcCallError; RpcTransportError, also when the connection ends before the answer */
  call<Name extends keyof Table & string>(
    name: Name,
    params: CallParams<ParamsOf<Table[Name]>>,
  ): Promise<ResultOf<Table[Name]>>;
  /** Resolves when the connection has ended, with the reason for people. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 64;
/** A server that says nothing for twice as long, not even to a ping, is gone. */
const HEARTBEAT_MS = 30_000;
/** How long the other side has to agree to an end. */
const CLOSING_MS = 1_000;
/** Close codes of RFC 6455, section 7.4.1. */
const [NORMAL, PROTOCOL_ERROR] = [1000, 1002];

const noticeSchema = z.looseObject({ method: z.string(), params: z.unknown().optional() });

/**
 * Opens a connection for exactly the methods of the table.
 * @throws RpcTransportError
 */
export async function connectRpcWebSocket<Table extends MethodTable>(
  methods: Table,
  options: RpcWebSocketClientOptions,
): Promise<RpcWebSocketClient<Table>> {
  const connection = new Connection(options);
  await connection.opened;
  return {
    async call(name, params) {
      const encoded = encodeParams(methods, name, params as readonly unknown[]);
      const answer = await connection.ask(name, encoded);
      return resultOf(methods, name, { answer, url: options.url }) as ResultOf<Table[typeof name]>;
    },
    ended: connection.ended,
    close: () => connection.close(),
  };
}

interface Waiting {
  readonly done: (answer: RpcAnswer) => void;
  readonly fail: (error: RpcTransportError) => void;
  readonly timer: NodeJS.Timeout;
}

class Connection {
  readonly opened: Promise<void>;
  readonly ended: Promise<string>;
  private readonly socket: WebSocket;
  private readonly timeoutMs: number;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private isAlive = true;
  private problem: string | undefined;

  constructor(private readonly options: RpcWebSocketClientOptions) {
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const socket = new WebSocket(options.url.replace(/^http/, 'ws'), {
      headers: options.headers ?? {},
      handshakeTimeout: this.timeoutMs,
      perMessageDeflate: false,
      maxPayload: options.maxMessageBytes ?? DEFAULT_MESSAGE_BYTES,
    });
    this.socket = socket;
    this.opened = new Promise((done, fail) => {
      socket.once('open', done);
      socket.once('close', () => fail(unusable(options.url, this.problem ?? 'no WebSocket is opened')));
    });
    this.ended = new Promise((done) => {
      socket.once('close', (code: number, reason: Buffer) =>
        done(this.end(reason.toString() || `closed with code ${code}`)),
      );
    });
    socket.on('error', ({ message }: Error) => (this.problem ??= message));
    socket.on('message', (data: RawData) => this.take(data));
    for (const sign of ['message', 'ping', 'pong']) socket.on(sign, () => (this.isAlive = true));
    this.watch();
    this.endWith(options.signal);
  }

  ask(method: string, params: readonly unknown[]): Promise<RpcAnswer> {
    const { socket, options } = this;
    const id = ++this.lastId;
    return new Promise((done, fail) => {
      if (socket.readyState !== socket.OPEN)
        return fail(unusable(options.url, this.problem ?? 'the connection has ended'));
      const late = () => this.settle(id)?.fail(unusable(options.url, `no answer to ${method} in time`));
      this.waiting.set(id, { done, fail, timer: setTimeout(late, this.timeoutMs) });
      socket.send(writeJson({ jsonrpc: '2.0', id, method, params }));
    });
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => this.socket.terminate(), CLOSING_MS);
    this.socket.close(NORMAL);
    await this.ended;
    clearTimeout(timer);
  }

  private watch(): void {
    const heartbeat = setInterval(() => {
      if (!this.isAlive) {
        this.problem ??= 'the server is silent';
        return this.socket.terminate();
      }
      this.isAlive = false;
      if (this.socket.readyState === this.socket.OPEN) this.socket.ping();
    }, HEARTBEAT_MS);
    this.socket.once('close', () => clearInterval(heartbeat));
  }

  private endWith(signal: AbortSignal | undefined): void {
    const end = () => {
      this.problem ??= 'it is not wanted any more';
      this.socket.terminate();
    };
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end, { once: true });
    this.socket.once('close', () => signal?.removeEventListener('abort', end));
  }

  private take(data: RawData): void {
    try {
      const message = readJson(data as Buffer, MAX_DEPTH);
      const notice = noticeSchema.safeParse(message);
      if (notice.success) return this.options.onNotice(notice.data.method, notice.data.params);
      const answer = parseAnswer(message, this.options.url);
      this.settle(answer.id)?.done(answer);
    } catch (error) {
      this.problem ??= (error as Error).message;
      this.socket.close(PROTOCOL_ERROR);
    }
  }

  private settle(id: unknown): Waiting | undefined {
    const waiting = this.waiting.get(id as number);
    if (waiting === undefined) return undefined;
    clearTimeout(waiting.timer);
    this.waiting.delete(id as number);
    return waiting;
  }

  /** @returns why it ended */
  private end(how: string): string {
    const reason = this.problem ?? how;
    for (const id of [...this.waiting.keys()]) this.settle(id)?.fail(unusable(this.options.url, reason));
    return reason;
  }
}
