import type { Metrics, Tracer } from '@tetrad/types';
import { Agent, request, type Dispatcher } from 'undici';

/** Client certificate for a manager on https, and the authority of its certificate. PEM. */
export interface ManagerTls {
  /** Authorities that sign the certificate of the manager; those of the system without it. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

export interface ManagerClientOptions {
  /** `http://…`, `https://…`, or `unix:` and the path of a socket file. */
  readonly url: string;
  readonly tls?: ManagerTls | undefined;
  /** Shown with every request, such as a bearer token. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /** For a connection; default 1 s. */
  readonly connectTimeoutMs?: number;
  /** For a whole exchange; default 5 s, in which a manager has to reach all recipients. */
  readonly timeoutMs?: number;
  /** Most bytes of an answer; default 32 MiB. */
  readonly maxAnswerBytes?: number;
  /** Adds the current span to requests; absent where tracing is off. */
  readonly tracer?: Pick<Tracer, 'headers'> | undefined;
  /** Of the node. */
  readonly metrics?: Metrics | undefined;
}

export interface ManagerRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With its query; starts with `/`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ends the request early. */
  readonly signal?: AbortSignal | undefined;
}

export interface ManagerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The text of an answer; managers say in the reason phrase why a recipient cannot be reached. */
  readonly text: string;
}

const CONNECT_TIMEOUT_MS = 1_000;
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 32 * 1_048_576;
const MAX_CONNECTIONS = 64;
/** Where a socket file leads to does not matter. */
const SOCKET_ORIGIN = 'http://localhost';

/** Connections with one manager. */
export class Connection {
  private readonly agent: Agent;
  private readonly origin: string;

  /** @throws TypeError for an invalid URL, or a certificate that cannot be used */
  constructor(private readonly options: ManagerClientOptions) {
    const { timeoutMs = TIMEOUT_MS, maxAnswerBytes = MAX_ANSWER_BYTES } = options;
    const { origin, socketPath } = parseManagerUrl(options.url);
    const { ca, cert, key } = options.tls ?? {};
    const tls = Object.entries({ ca, cert, key }).filter(([, value]) => value !== undefined);
    const timeout = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    const connect = {
      ...Object.fromEntries(tls),
      timeout,
      ...(socketPath === undefined ? {} : { socketPath }),
    };
    this.origin = origin;
    this.agent = new Agent({
      connect: connect as NonNullable<Agent.Options['connect']>,
      connections: MAX_CONNECTIONS,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxResponseSize: maxAnswerBytes,
    });
  }

  /**
   * @param take - gets the pieces of an answer with status 200 as they come, which is empty then; what it throws ends the answer
   * @throws Error when the whole answer does not arrive in time
   */
  async ask(
    { method, path, headers = {}, body, signal }: ManagerRequest,
    take?: (piece: Buffer) => void,
  ): Promise<ManagerAnswer> {
    // Not AbortSignal.timeout, which goes off for every request, long after its answer.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(timedOut()), this.options.timeoutMs ?? TIMEOUT_MS);
    try {
      const answer = await request(this.origin + path, {
        method,
        dispatcher: this.agent as Dispatcher,
        headers: { ...headers, ...this.options.headers?.(), ...this.options.tracer?.headers() },
        signal: signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]),
        ...(body === undefined ? {} : { body }),
      });
      if (take !== undefined && answer.statusCode === 200)
        for await (const piece of answer.body as AsyncIterable<Buffer>) take(piece);
      const isTaken = answer.body.bodyUsed;
      const bytes = isTaken ? Buffer.alloc(0) : Buffer.from(await answer.body.arrayBuffer());
      const text =
        bytes.length === 0 && answer.statusCode >= 400 ? answer.statusText : bytes.toString('utf8');
      return { status: answer.statusCode, headers: answer.headers, body: bytes, text };
    } finally {
      clearTimeout(timer);
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

function timedOut(): DOMException {
  return new DOMException('The operation was aborted due to timeout', 'TimeoutError');
}

function parseManagerUrl(url: string): { readonly origin: string; readonly socketPath?: string } {
  if (url.startsWith('unix:') && url.length > 'unix:'.length) {
    const socketPath = url.slice('unix:'.length).replace(/^\/\/(?=\/)/, '');
    return { origin: SOCKET_ORIGIN, socketPath };
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol) || parsed.pathname !== '/')
    throw new TypeError(`${url} is not http://HOST:PORT, https://HOST:PORT or unix:FILE`);
  return { origin: parsed.origin };
}
