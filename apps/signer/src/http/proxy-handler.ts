import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  HttpCaller,
  assertPermitted,
  createRateLimiter,
  readBody,
  type Caller,
  type RateLimiter,
  contentTypeProblem,
  isJsonMediaType,
} from '@tetrad/rpc';
import { requestedPath, type ForwardedRequest } from '@tetrad/signer-downstream';
import type { Emulation } from '../emulation.js';
import { AnswerSender } from './answer-sender.js';
import { answerStatus } from './answer-status.js';
import { isRpcRequest } from './local-request.js';
import type { RestExchange, RestRoutes } from './rest-routes.js';
import { RpcExchange, type RpcExchangeParts } from './rpc-exchange.js';

export interface ProxyOptions extends RpcExchangeParts, Pick<Emulation, 'forwards'> {
  /** Bytes of a body. */
  readonly maxBodyBytes: number;
  /** Calls per second and client address, loopback excepted; 0 for no limit. */
  readonly rateLimit: number;
  /** Bytes of answers that may wait for slow clients to read them. */
  readonly maxWaitingBytes?: number;
  /** Routes of web3signer, which go before handing on. */
  readonly rest: RestRoutes | undefined;
  readonly callerOf: (request: IncomingMessage) => Pick<Caller, 'subject' | 'may'>;
}

/** Permission to have requests forwarded that are not JSON-RPC to the root path, where callers have permissions. */
const FORWARD_PERMISSION = 'relay';

/**
 * Answers everything that is addressed to the proxy: JSON-RPC on the root path and the routes of web3signer; other
 * requests are forwarded when the emulation forwards them.
 */
export function createProxyHandler(
  options: ProxyOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const limiter = createRateLimiter(options.rateLimit);
  const sender = new AnswerSender(options.maxWaitingBytes);
  const rpc = new RpcExchange(options);
  return (request, response) => {
    const refuse = (status: Refused, problem = PROBLEMS[status]) =>
      refuseBody(sender, { request, response }, { status, problem });
    const rejection = screen(request, options.maxBodyBytes, limiter);
    if (rejection !== undefined) return refuse(rejection);
    readBody(request, options.maxBodyBytes, (body) => {
      if (body === undefined) return refuse(413);
      const caller = new HttpCaller(request, response, options.callerOf(request), limiter);
      const { method = 'GET', url: target = '/' } = request;
      const forwarded = { method, target, headers: request.headersDistinct, body };
      const exchange = { request: forwarded, caller, response, sender };
      if (isRpc(forwarded, options.forwards)) {
        const problem = declarationProblem(request);
        if (problem !== undefined) return refuse(415, problem);
        void rpc.answer({ ...exchange, request: declaredAsJson(forwarded) });
      } else void (options.rest?.answer(exchange) ?? forwardRequest(options, exchange));
    });
  };
}

/**
 * Every request that would reach the client's JSON-RPC, by any spelling of its path, is inspected first, also with
 * other HTTP methods where those are forwarded: geth reads the body of a GET.
 */
function isRpc({ method, target, body }: ForwardedRequest, forwards: ProxyOptions['forwards']): boolean {
  if (method !== 'POST' && (forwards === 'json-rpc' || body.length === 0)) return false;
  return target === '/' || requestedPath(target) === '/';
}

async function forwardRequest(
  { downstream, forwards, limits, logger }: ProxyOptions,
  { request, caller, response, sender }: RestExchange,
): Promise<void> {
  try {
    if (forwards === 'json-rpc' && !isRpcRequest(request, limits.depth)) {
      return sender.json(response, 404, { error: 'no such route, and no JSON-RPC 2.0 for the client' });
    }
    assertPermitted(caller, FORWARD_PERMISSION);
    sender.forwarded(response, await downstream.forward(request));
  } catch (error) {
    const status = answerStatus(error);
    if (status === 500) logger.warn('request could not be forwarded', { error });
    sender.status(response, status === 200 ? 403 : status);
  }
}

type Refused = 413 | 415 | 429;

function screen(
  { headers, socket }: IncomingMessage,
  maxBodyBytes: number,
  limiter: RateLimiter | undefined,
): Refused | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return 415;
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) return 413;
  return limiter?.admits(socket.remoteAddress ?? '') === false ? 429 : undefined;
}

const PROBLEMS: Readonly<Record<Refused, string>> = {
  413: 'the body is too large',
  415: 'compressed bodies are not taken',
  429: 'too many requests',
};

/** Answers and closes: whatever of the body is still to come is not read. */
function refuseBody(
  sender: AnswerSender,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  { status, problem }: { readonly status: Refused; readonly problem: string },
): void {
  response.setHeader('Connection', 'close');
  sender.json(response, status, { error: problem });
  request.resume();
}

/**
 * The problem with what a body is declared as: under another charset, or the second of two types, the Ethereum client may
 * read another request in the same bytes.
 */
function declarationProblem({
  headersDistinct,
}: Pick<IncomingMessage, 'headersDistinct'>): string | undefined {
  const types = headersDistinct['content-type'] ?? [];
  return types.length > 1 ? 'more than one Content-Type' : contentTypeProblem(types[0]);
}

/** The request with the type that its body was read as, which Ethereum clients demand and callers leave out. */
function declaredAsJson(request: ForwardedRequest): ForwardedRequest {
  const [type] = [request.headers['content-type'] ?? []].flat();
  if (isJsonMediaType(type)) return request;
  return { ...request, headers: { ...request.headers, 'content-type': 'application/json' } };
}
