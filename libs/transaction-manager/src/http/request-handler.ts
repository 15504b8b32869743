import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import { onceClosed } from '@tetrad/rpc';
import type { Logger, Metrics } from '@tetrad/types';
import { ManagerError } from '../manager-error.js';
import { answerToError } from './answer-error.js';
import type { RequestBudget } from './byte-budget.js';
import { findRoute } from './find-route.js';
import { NoRoomError, readBody } from './read-body.js';
import type { HttpAnswer, Route } from './route.js';

export interface HandlerOptions {
  /** Of the port, in metrics. */
  readonly name: 'client' | 'peer' | 'third-party';
  /** May be added to while requests come. */
  readonly routes: readonly Route[];
  /** Whether requests with such a `Host` header are served; all are without it. */
  readonly allowsHost?: ((host: string | undefined) => boolean) | undefined;
  /** Whether requests from the remote address are served; all are without it. */
  readonly admits?: ((from: string) => Promise<boolean>) | undefined;
  readonly maxBodyBytes: number;
  readonly budget: RequestBudget;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A client that reads nothing of its answer for this time is cut off. */
const ANSWER_TIMEOUT_MS = 60_000;

/** What a platform asks, from an address of its own. */
const HEALTH = '/upcheck';

/** Answers the requests of one port. */
export function requestHandler(options: HandlerOptions): RequestHandler {
  const { metrics, name: port, budget } = options;
  const answered = metrics.counter(
    'transaction_manager_requests_total',
    'Requests that were answered, by port, path and HTTP status.',
    ['port', 'path', 'status'],
  );
  const seconds = metrics.histogram(
    'transaction_manager_request_seconds',
    'Time from the headers of a request to its answer, by port and path.',
    ['port', 'path'],
  );
  const held = metrics.gauge(
    'transaction_manager_body_bytes',
    'Bytes of requests and answers that are held at the moment.',
  );
  return (request, response) => {
    const started = performance.now();
    const took = new Taken(budget, request.socket.remoteAddress ?? '');
    onceClosed(response, () => {
      took.close();
      held.set(budget.used);
    });
    void answerTo(request, options, took).then(({ answer, path }) => {
      took.finishHandling();
      answered.increment({ port, path, status: String(answer.status) });
      seconds.observe((performance.now() - started) / 1_000, { port, path });
      held.set(budget.used);
      // From here on, since an answer may take long to come about: a peer has all its payloads resent before it.
      response.setTimeout(ANSWER_TIMEOUT_MS, () => response.destroy());
      void write(response, answer, took).catch((error: unknown) =>
        options.logger.debug('answer cut short', { port, path, error }),
      );
    });
  };
}

/**
 * What one request has of the budget: until its connection is closed, and until it is handled, since the handler holds the
 * body of a client that has gone. What comes about after the connection is closed is dropped unsent.
 */
class Taken {
  private bytes = 0;
  private isClosed = false;
  private isHandled = false;

  constructor(
    private readonly budget: RequestBudget,
    private readonly sender: string,
  ) {}

  readonly take = (bytes: number): boolean => {
    if (this.isClosed) return true;
    if (!this.budget.take(bytes, this.sender)) return false;
    this.bytes += bytes;
    return true;
  };

  /** Of a piece of the answer, which is sent once the request is handled. */
  give(bytes: number): void {
    if (this.isClosed) return;
    this.bytes -= bytes;
    this.budget.give(bytes, this.sender);
  }

  close(): void {
    this.isClosed = true;
    this.giveBackIfOver();
  }

  finishHandling(): void {
    this.isHandled = true;
    this.giveBackIfOver();
  }

  private giveBackIfOver(): void {
    if (!this.isClosed || !this.isHandled) return;
    this.budget.give(this.bytes, this.sender);
    this.bytes = 0;
  }
}

async function answerTo(
  request: IncomingMessage,
  { name, allowsHost, admits, maxBodyBytes, logger, routes }: HandlerOptions,
  took: Taken,
): Promise<{ readonly answer: HttpAnswer; readonly path: string }> {
  // Unknown paths do not appear in metrics.
  let path = 'unknown';
  try {
    const [asked = '/', query = ''] = (request.url ?? '/').split('?', 2);
    const { method = 'GET', headers } = request;
    const from = request.socket.remoteAddress ?? '';
    if (name === 'peer') refusePages(headers, allowsHost);
    if (asked !== HEALTH && admits !== undefined && !(await admits(from)))
      throw new ManagerError('forbidden', 'this manager is not on the whitelist');
    const { accept, 'content-type': contentType } = headers;
    const { route, ...found } = findRoute(routes, { method, path: asked, contentType, accept });
    path = route.path;
    const body = await readBody(request, maxBodyBytes * (route.bodyFactor ?? 1), took.take);
    const parameters = parametersOf(query);
    const base = baseUrl(request);
    const answer = await route.handle({ ...found, headers, body, query: parameters, base, from });
    if (!took.take(answer.body?.length ?? 0)) throw new NoRoomError();
    return { answer, path };
  } catch (error) {
    return { answer: answerToError(error, logger), path };
  }
}

const NO_PARAMETERS = new URLSearchParams();

/** A plus is a plus here, as in paths: the base64 of keys has them. Handlers read parameters and change none. */
function parametersOf(query: string): URLSearchParams {
  return query === '' ? NO_PARAMETERS : new URLSearchParams(query.replaceAll('+', '%2B'));
}

/**
 * Managers send no origin, and name a host that the operator knows; pages in a browser of this network do not, also when
 * a name of theirs leads here (DNS rebinding).
 * @throws ManagerError 403
 */
function refusePages(
  { host, origin }: IncomingMessage['headers'],
  allowsHost: HandlerOptions['allowsHost'],
): void {
  if (origin !== undefined) throw new ManagerError('forbidden', 'requests of web pages are not served here');
  if (allowsHost?.(host) ?? true) return;
  throw new ManagerError('forbidden', 'the host of the request is not among --peer-host-allowlist');
}

const HOST = /^[A-Za-z0-9._:[\]-]{1,255}$/;

/** Where the client sees us; ends with `/`. */
function baseUrl({ headers, socket }: IncomingMessage): string {
  const { host = '' } = headers;
  const scheme = (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
  return `${scheme}://${HOST.test(host) ? host : 'localhost'}/`;
}

async function write(
  response: ServerResponse,
  { status, type, body, rest, headers = {} }: HttpAnswer,
  took: Taken,
): Promise<void> {
  const { reason, ...others } = headers;
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body as string);
  const fields = { ...(type === undefined ? {} : { 'content-type': type }), ...others };
  const length = status === 204 || rest !== undefined ? {} : { 'content-length': bytes.length };
  if (reason === undefined) response.writeHead(status, { ...fields, ...length });
  else response.writeHead(status, reason, { ...fields, ...length });
  if (rest === undefined) response.end(status === 204 ? undefined : bytes);
  else await pipeline(inPieces(bytes, rest, took), response);
}

/** What is sent, of which one piece at a time is held. */
async function* inPieces(first: Buffer, rest: AsyncIterable<string>, took: Taken): AsyncGenerator<Buffer> {
  yield first;
  for await (const piece of rest) {
    const bytes = Buffer.from(piece);
    if (!took.take(bytes.length)) throw new NoRoomError();
    yield bytes;
    took.give(bytes.length);
  }
}
