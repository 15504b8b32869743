import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request, type Dispatcher } from 'undici';
import {
  TetradError,
  silentMetrics,
  type Counter,
  type Histogram,
  type Metrics,
  type TraceHeaders,
  type Tracer,
} from '@tetrad/types';
import { API_VERSIONS_HEADER, SUPPORTED_VERSIONS } from './api-versions.js';

/** A peer's answer; only this much of it is read. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Connections to one manager, half of what it takes from an address that is not among its `--peers`, so that two managers behind one
 * address have theirs. Further requests wait for one of them.
 */
const MAX_CONNECTIONS = 32;

/** How many times its time-out a whole exchange may take: it has one for the connection and one for the answer. */
const WHOLE = 3;

export interface PeerAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface PeerRequest {
  readonly method: 'GET' | 'POST';
  readonly address: string;
  /** Of the manager. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal | undefined;
}

/** The peer could not be asked: no connection, no answer in time, or an answer that is too long. */
export class PeerUnreachableError extends TetradError {
  override readonly name = 'PeerUnreachableError';
  override readonly code = 'MANAGER_UNREACHABLE';

  constructor(readonly url: string) {
    super(`Connection error while communicating with ${url}`, { data: { url } });
  }
}

/** Asks other managers. */
export class PeerClient {
  private readonly agent: Agent;
  private readonly requests: Counter;
  private readonly seconds: Histogram;

  constructor(
    private readonly options: {
      readonly timeoutMs: number;
      readonly connect?: Agent.Options['connect'];
      readonly metrics?: Metrics | undefined;
      /** Adds the current span to requests; absent where tracing is off. */
      readonly tracer?: Pick<Tracer, 'headers'> | undefined;
    },
  ) {
    const { timeoutMs, connect = {}, metrics = silentMetrics } = options;
    this.requests = metrics.counter(
      'transaction_manager_peer_requests_total',
      'Requests to other managers, by path and class of HTTP status (2xx); that of one without an answer is none',
      ['path', 'status'],
    );
    this.seconds = metrics.histogram(
      'transaction_manager_peer_request_seconds',
      'Time that a request to another manager takes',
      ['path'],
    );
    this.agent = new Agent({
      connect: { ...connect, timeout: timeoutMs } as NonNullable<Agent.Options['connect']>,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxResponseSize: MAX_ANSWER_BYTES,
      connections: MAX_CONNECTIONS,
    });
  }

  /** The current span, for a request that is sent later; undefined where tracing is off. */
  traceHeaders(): TraceHeaders | undefined {
    return this.options.tracer?.headers();
  }

  /** @throws PeerUnreachableError */
  get(url: string, path: string): Promise<PeerAnswer> {
    return this.send({ method: 'GET', address: url + path, url, headers: {} });
  }

  /**
   * Posts bytes to a path of a manager.
   * @param url - ends with `/`
   * @param more - headers
   * @throws PeerUnreachableError
   */
  post(
    url: string,
    path: string,
    body: Uint8Array,
    more: Readonly<Record<string, string>> = {},
  ): Promise<PeerAnswer> {
    const headers = { ...more, 'content-type': 'application/octet-stream' };
    return this.send({ method: 'POST', address: url + path, url, headers, body });
  }

  /**
   * Posts JSON.
   * @param timeoutMs - for what takes the manager longer than a request usually does
   * @param signal - ends the request before that
   * @throws PeerUnreachableError
   */
  postJson(
    url: string,
    path: string,
    value: object,
    timeoutMs?: number,
    signal?: AbortSignal,
  ): Promise<PeerAnswer> {
    const body = JSON.stringify(value);
    const headers = { 'content-type': 'application/json' };
    return this.send({ method: 'POST', address: url + path, url, headers, body, signal }, timeoutMs);
  }

  /** The time-outs are between two pieces of an answer, so that a peer that sends one byte at a time needs a limit of its own. */
  private async send(
    { method, address, url, headers: own, body, signal }: PeerRequest,
    timeoutMs?: number,
  ): Promise<PeerAnswer> {
    const headers = { ...this.traceHeaders(), ...own, [API_VERSIONS_HEADER]: SUPPORTED_VERSIONS };
    const options = {
      method,
      dispatcher: this.agent as Dispatcher,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(timeoutMs === undefined ? {} : { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }),
    } as const;
    const path = `/${address.slice(url.length).split('?', 1)[0]}`;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), WHOLE * (timeoutMs ?? this.options.timeoutMs));
    const started = performance.now();
    let outcome = 'none';
    try {
      const ending = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]);
      const answer = await request(address, { ...options, signal: ending });
      const { statusCode: status, headers } = answer;
      const text = await answer.body.text();
      outcome = `${Math.floor(status / 100)}xx`;
      return { status, headers, text };
    } catch {
      throw new PeerUnreachableError(url);
    } finally {
      clearTimeout(timer);
      this.requests.increment({ path, status: outcome });
      this.seconds.observe((performance.now() - started) / 1_000, { path });
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}
