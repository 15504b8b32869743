import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from './caller.js';
import type { Dispatcher } from './dispatcher.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';
import { readBody } from './http-body.js';
import { HttpCaller } from './http-caller.js';
import { contentTypeProblem } from './json-media-type.js';
import { writeJson } from './json-text.js';
import { endLingering } from './linger.js';
import { OutgoingAnswers } from './outgoing-answers.js';

export interface RpcHttpOptions {
  readonly dispatcher: Dispatcher;
  /** Bytes of a body. */
  readonly maxBodyBytes: number;
  /** Calls per second and client address, loopback excepted; 0 for no limit. */
  readonly rateLimit?: number;
  /** Bytes that may wait for slow clients to read them. */
  readonly maxWaitingBytes?: number;
  /** Authenticates the sender of a request; without it every sender may call. */
  readonly callerOf?: (request: IncomingMessage) => Pick<Caller, 'subject' | 'claims' | 'may'>;
}

const JSON_TYPE = 'application/json';

/**
 * JSON-RPC over HTTP POST, for `node:http` or in front of express.
 *
 * A request that never reaches the dispatcher is 405, 413, 415 or 429; every body that was read is 200, or 204 when there is
 * no answer, or 503 when too much waits for slow clients. The time limit of a body is set by the server (`requestTimeout` of node:http).
 */
export function createRpcHttpHandler(
  options: RpcHttpOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const limiter = createRateLimiter(options.rateLimit);
  const outgoing = new OutgoingAnswers(options.maxWaitingBytes);
  return (request, response) => {
    const denial = screen(request, options.maxBodyBytes, limiter);
    if (denial !== undefined) return refuse(request, response, denial);
    readBody(request, options.maxBodyBytes, (body) => {
      if (body === undefined) return refuse(request, response, tooLarge(options.maxBodyBytes));
      void options.dispatcher
        .handle(body, new HttpCaller(request, response, options.callerOf?.(request), limiter))
        .then((text) => send(response, text, outgoing));
    });
  };
}

interface Denial {
  readonly status: 405 | 413 | 415 | 429;
  readonly problem: string;
}

function screen(
  request: IncomingMessage,
  maxBodyBytes: number,
  limiter: RateLimiter | undefined,
): Denial | undefined {
  if (request.method !== 'POST') return { status: 405, problem: 'JSON-RPC is sent with POST' };
  const typeProblem = contentTypeProblem(request.headers['content-type']);
  if (typeProblem !== undefined) return { status: 415, problem: typeProblem };
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return { status: 415, problem: 'compressed bodies are not taken' };
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge(maxBodyBytes);
  if (limiter?.admits(request.socket.remoteAddress ?? '') === false)
    return { status: 429, problem: 'too many requests' };
  return undefined;
}

function tooLarge(maxBodyBytes: number): Denial {
  return { status: 413, problem: `the body is larger than ${maxBodyBytes} bytes` };
}

function send(response: ServerResponse, text: string | undefined, outgoing: OutgoingAnswers): void {
  if (response.destroyed) return;
  if (text === undefined) {
    response.writeHead(204).end();
    return;
  }
  const length = Buffer.byteLength(text);
  if (!outgoing.admit(response, length)) {
    const problem = writeJson({ error: 'too many answers wait for their clients to read them' });
    const headers = { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(problem) };
    response.writeHead(503, headers).end(problem);
    return;
  }
  response.writeHead(200, { 'Content-Type': JSON_TYPE, 'Content-Length': length }).end(text);
}

/** Answers and closes: what is still to come of the body is read and discarded, but not without end. */
function refuse(request: IncomingMessage, response: ServerResponse, { status, problem }: Denial): void {
  const allow = status === 405 ? { Allow: 'POST' } : {};
  const text = writeJson({ error: problem });
  const headers = {
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  };
  endLingering(request, response.writeHead(status, { ...headers, ...allow }), text);
}
