import { Readable } from 'node:stream';
import type { Clock } from '@tetrad/types';
import { Agent, request, type Dispatcher } from 'undici';
import { EtcdError, textOf } from './etcd-error.js';
import { refusalOf } from './refusals.js';
import { originOf, tlsOptions, type EtcdTls } from './settings.js';

export interface EndpointOptions {
  readonly url: string;
  readonly tls?: EtcdTls | undefined;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
}

export interface Exchange {
  /** Below `/v3/`. */
  readonly path: string;
  readonly body: string;
  readonly token: string | undefined;
  /** Maximum size in bytes of the answer. */
  readonly maxBytes: number;
  /** For all of it, from the connection to the last byte. */
  readonly timeoutMs: number;
}

export interface Answer {
  /** HTTP status. */
  readonly status: number;
  readonly body: Buffer;
}

/** An answer of 4xx or 5xx to a stream is one line. */
const MAX_REFUSAL_BYTES = 65_536;
/** Each request uses one connection; further requests wait. */
const MAX_CONNECTIONS = 64;
const MAX_HEADER_BYTES = 16_384;

/** One member of etcd, as its HTTP gateway shows it. */
export class Endpoint {
  readonly url: string;
  private readonly agent: Agent;

  /** @throws TypeError for an invalid URL */
  constructor(private readonly options: EndpointOptions) {
    this.url = originOf(options.url);
    const connect = { ...tlsOptions(options.tls ?? {}), timeout: options.connectTimeoutMs };
    this.agent = new Agent({
      connect: connect as NonNullable<Agent.Options['connect']>,
      connections: MAX_CONNECTIONS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Streams stay open without a limit here; opening one, and each exchange, has its own limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Posts JSON and reads the whole answer.
   * @throws EtcdError unavailable, or too-large, which says whether the request was sent
   */
  async post({ path, body, token, maxBytes, timeoutMs }: Exchange): Promise<Answer> {
    const limit = new AbortController();
    const late = new Error(`no answer within ${timeoutMs} ms`);
    const cancel = this.options.clock.schedule(timeoutMs, () => limit.abort(late));
    const sending = contentOf(body);
    try {
      const answer = await this.send(path, token, sending, limit.signal);
      return { status: answer.statusCode, body: await this.readBounded(answer.body, maxBytes) };
    } catch (error) {
      throw this.failure(error, sending.hasBegun());
    } finally {
      cancel();
    }
  }

  /**
   * Posts JSON and streams the answer, until the signal ends it.
   * @throws EtcdError as for `post`, and that of the refusal when etcd refuses
   */
  async open(
    path: string,
    body: string,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Buffer>> {
    const sending = contentOf(body);
    try {
      const { statusCode: status, body: stream } = await this.send(path, token, sending, signal);
      if (status === 200) return stream;
      throw refusalOf(this.url, status, await this.readBounded(stream, MAX_REFUSAL_BYTES));
    } catch (error) {
      throw this.failure(error, sending.hasBegun());
    }
  }

  /** Aborts running requests. */
  close(): Promise<void> {
    return this.agent.destroy();
  }

  /** A transport failure as an EtcdError. */
  failure(error: unknown, mayBeExecuted: boolean): EtcdError {
    if (error instanceof EtcdError) return error;
    return new EtcdError('unavailable', `${this.url}: ${textOf(error)}`, { mayBeExecuted, cause: error });
  }

  private send(path: string, token: string | undefined, { stream, bytes }: Content, signal: AbortSignal) {
    return request(`${this.url}/v3/${path}`, {
      method: 'POST',
      dispatcher: this.agent as Dispatcher,
      signal,
      body: stream,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'content-length': `${bytes}`,
        ...(token === undefined ? {} : { authorization: token }),
      },
    });
  }

  private async readBounded(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      // Leaving the loop closes the connection, so the rest is not received.
      if (size > maxBytes) throw this.tooLarge(maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  }

  private tooLarge(maxBytes: number): EtcdError {
    return new EtcdError('too-large', `${this.url}: the answer is larger than ${maxBytes} bytes`, {
      mayBeExecuted: true,
    });
  }
}

interface Content {
  readonly stream: Readable;
  readonly bytes: number;
  /** Whether a connection has read from it: from then on etcd may have received the request. */
  hasBegun(): boolean;
}

/** A body that records whether it was sent: a request without a connection cannot have been executed. */
function contentOf(text: string): Content {
  const bytes = Buffer.from(text);
  let hasBegun = false;
  function* content() {
    hasBegun = true;
    yield bytes;
  }
  const stream = Readable.from(content(), { objectMode: false });
  return { stream, bytes: bytes.length, hasBegun: () => hasBegun };
}
