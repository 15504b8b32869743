import type { Metrics, Tracer } from '@tetrad/types';
import { Pool, type Dispatcher } from 'undici';
import { clientFailure } from './client-failure.js';
import { ClientSession } from './client-session.js';
import { ExchangeMetrics } from './exchange-metrics.js';
import { createConnector, type DownstreamProxy, type DownstreamTls } from './connector.js';
import { headersForCaller, headersForClient, headersForOwnBody, type Headers } from './forwarded-headers.js';
import { GatheredCalls, type OwnHeaders, type Post } from './gathered-calls.js';
import type { ForwardedResponse } from './node-answer.js';
import { CONNECTIONS, MAX_ANSWER_BYTES } from './params.js';
import { ReceivedBytes } from './received-bytes.js';
import { FailedExchange, receiveWhole } from './whole-response.js';

export interface DownstreamOptions {
  /** Base URL of the Ethereum client; https needs `tls`. */
  readonly url: URL;
  /** Bounds each request by itself, from the first byte to the last. */
  readonly timeoutMs: number;
  /** Headers of callers that stay here, in lower case. */
  readonly withholdHeaders?: readonly string[];
  readonly tls?: DownstreamTls | undefined;
  readonly proxy?: DownstreamProxy | undefined;
  /** Headers that the signer shows for itself, instead of the caller's; called for each request. */
  readonly ownHeaders?: (() => Readonly<Record<string, string>>) | undefined;
  /** Adds the current span to requests, instead of the caller's; absent where tracing is off. */
  readonly tracer?: Pick<Tracer, 'headers'> | undefined;
  readonly metrics?: Metrics | undefined;
}

/** A caller's request, to be forwarded unmodified. */
export interface ForwardedRequest {
  readonly method: string;
  /** Path and query of the request line. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: OwnHeaders;
  readonly body: Uint8Array | string;
}

/** The Ethereum client that the proxy submits to and passes requests through to. */
export class DownstreamClient {
  private readonly pool: Pool;
  /** In front of paths and among headers, for an HTTP proxy that is asked for whole URLs. */
  private readonly viaProxy:
    { readonly prefix: string; readonly headers: Record<string, string> } | undefined;

  /** To the client's JSON-RPC. */
  private readonly post: Post;
  private readonly gathered: GatheredCalls;
  private readonly metrics: ExchangeMetrics;
  private readonly received = new ReceivedBytes();

  constructor(private readonly options: DownstreamOptions) {
    const { url, timeoutMs, tls, proxy } = options;
    const path = downstreamPath(url.pathname, '/');
    this.post = (body, headers) => this.exchange({ method: 'POST', path, headers, body });
    this.gathered = new GatheredCalls(this.post);
    this.metrics = new ExchangeMetrics(options.metrics);
    const asks = proxy !== undefined && tls === undefined;
    this.viaProxy = asks ? wholeUrls(url, proxy) : undefined;
    this.pool = new Pool(asks ? `http://${proxy.host}:${proxy.port}` : url.origin, {
      connections: CONNECTIONS,
      connect: createConnector({ timeoutMs, tls, tunnel: proxy }),
      maxResponseSize: MAX_ANSWER_BYTES,
    });
  }

  /**
   * Hands a request on, and the answer back: status, headers and body as they came, whatever they are.
   * @throws as `clientFailure`
   */
  forward(request: ForwardedRequest): Promise<ForwardedResponse> {
    const { url, withholdHeaders } = this.options;
    return this.exchange({
      method: request.method,
      path: downstreamPath(url.pathname, request.target),
      headers: this.inTrace(headersForClient(request.headers, withholdHeaders)),
      body: request.body,
    });
  }

  /** Speaks JSON-RPC to the client with the headers of a caller; without a caller with none. */
  onBehalfOf(headers: Headers = {}): ClientSession {
    const forwarded = this.inTrace(headersForOwnBody(headers, this.options.withholdHeaders));
    return new ClientSession(
      (body) => this.post(body, forwarded),
      (request, id) => this.gathered.ask(request, id, forwarded),
    );
  }

  /** Lets running requests finish. */
  close(): Promise<void> {
    return this.pool.close();
  }

  /** The headers with the current span, which is that of the caller's request. */
  private inTrace(headers: Record<string, string | string[]>): OwnHeaders {
    const { tracer } = this.options;
    return tracer === undefined ? headers : { ...headers, ...tracer.headers() };
  }

  private async exchange({ method, path, headers, body }: Exchange): Promise<ForwardedResponse> {
    const started = performance.now();
    try {
      const request = {
        // Node gives any method that it could parse.
        method: method as Dispatcher.HttpMethod,
        path: this.viaProxy === undefined ? path : `${this.viaProxy.prefix}${path}`,
        headers: { ...headers, ...this.options.ownHeaders?.(), ...this.viaProxy?.headers },
        body: body.length === 0 ? null : body,
      };
      const { timeoutMs } = this.options;
      const response = await receiveWhole(this.pool, request, { timeoutMs, received: this.received });
      this.metrics.finished(started);
      return { ...response, headers: headersForCaller(response.headers) };
    } catch (error) {
      const failure =
        error instanceof FailedExchange ? clientFailure(error.cause, error.hasBegun) : clientFailure(error);
      this.metrics.finished(started, failure);
      throw failure;
    }
  }
}

function wholeUrls(url: URL, { authorization }: DownstreamProxy) {
  const headers = { host: url.host };
  return {
    prefix: url.origin,
    headers: authorization === undefined ? headers : { ...headers, 'proxy-authorization': authorization },
  };
}

/**
 * The path that a caller asks for, in normal form and without the query.
 * @param target - as in `downstreamPath`
 */
export function requestedPath(target: string): string {
  return downstreamPath('', target).split('?', 1)[0] ?? '/';
}

/**
 * Where the client finds what a caller asks for: the prefix, then the caller's path, in normal form.
 *
 * Source: docs/spec/signing-proxy.md#forwarding; it drops queries, which clients cannot want
 *
 * @param prefix - path of the client's JSON-RPC
 * @param target - of the request line, query included
 * @returns runs of slashes are one, no slash at the end but that of the root; `..` never leads out of the prefix
 */
export function downstreamPath(prefix: string, target: string): string {
  // A proxy may be sent a whole URL; only its path counts, the host is ours to choose.
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const { pathname, search } = new URL(`http://client/${path.replace(/^\/+/, '')}`);
  const joined = `/${prefix}/${pathname}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return `${joined}${search}`;
}
