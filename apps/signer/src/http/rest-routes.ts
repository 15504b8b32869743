import type { ServerResponse } from 'node:http';
import {
  FramingError,
  isObject,
  readJson,
  toErrorObject,
  type Caller,
  type DispatchedAnswer,
  type Dispatcher,
} from '@tetrad/rpc';
import { requestedPath, type ForwardedRequest } from '@tetrad/signer-downstream';
import { RequestError } from '@tetrad/types';
import type { AnswerSender } from './answer-sender.js';

/** Source: Consensys/web3signer, openapi-specs/eth1 */
const PUBLIC_KEYS = '/api/v1/eth1/publicKeys';
const SIGN = /^\/api\/v1\/eth1\/sign\/([^/]+)$/;

/** Reason → HTTP status; other rejections are faults of ours. */
const REQUEST_ERROR_STATUS: Readonly<Record<string, number>> = {
  SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT: 404,
  FORBIDDEN: 403,
  POLICY_REFUSED: 403,
  POLICY_RATE_EXCEEDED: 429,
  DATABASE_UNAVAILABLE: 503,
  KEY_LOADING: 503,
  KEY_UNAVAILABLE: 503,
  REQUEST_TIMEOUT: 504,
};

export interface RestRouteParts {
  /** Dispatches the methods behind the routes. */
  readonly dispatcher: Dispatcher;
  /** Deepest nesting of a body. */
  readonly maxDepth: number;
  /** Called for every body that cannot be read. */
  readonly onMalformed: () => void;
}

/** A request to one of the routes, its body read. */
export interface RestExchange {
  readonly request: ForwardedRequest;
  readonly caller: Caller;
  readonly response: ServerResponse;
  readonly sender: AnswerSender;
}

/** web3signer's routes for public keys and signatures. */
export class RestRoutes {
  constructor(private readonly parts: RestRouteParts) {}

  /**
   * Answers what is addressed to one of the routes.
   * @returns undefined when it is not. Never rejects.
   */
  answer(exchange: RestExchange): Promise<void> | undefined {
    const { method, target } = exchange.request;
    const path = requestedPath(target);
    if (method === 'GET' && path === PUBLIC_KEYS) return this.listPublicKeys(exchange);
    const identifier = method === 'POST' ? SIGN.exec(path)?.[1] : undefined;
    return identifier === undefined ? undefined : this.sign(exchange, identifier);
  }

  private async listPublicKeys(exchange: RestExchange): Promise<void> {
    const { caller, response, sender } = exchange;
    const answer = await this.call('eth1_publicKeys', [], caller);
    if (answer.error === undefined) sender.json(response, 200, answer.response?.result);
    else this.sendError(exchange, answer);
  }

  private async sign(exchange: RestExchange, identifier: string): Promise<void> {
    const { request, caller, response, sender } = exchange;
    const answer = await this.signBody(identifier, request.body, caller);
    if (answer.error === undefined) sender.text(response, 200, String(answer.response?.result));
    else this.sendError(exchange, answer);
  }

  private async signBody(
    identifier: string,
    body: Uint8Array,
    caller: Caller,
  ): Promise<Pick<DispatchedAnswer, 'error' | 'response'>> {
    try {
      const json = readJson(body, this.parts.maxDepth);
      // Without the member no method takes the call.
      const data = isObject(json) ? json['data'] : undefined;
      return await this.call('eth1_sign', [identifier, data], caller);
    } catch (error) {
      return { error, response: undefined };
    }
  }

  private call(method: string, params: readonly unknown[], caller: Caller): Promise<DispatchedAnswer> {
    return this.parts.dispatcher.answer({ jsonrpc: '2.0', id: 0, method, params }, caller);
  }

  /** The body has the problem in `error`, and next to it the reason code for programs. */
  private sendError(
    { response, sender }: RestExchange,
    { error, response: answer }: Pick<DispatchedAnswer, 'error' | 'response'>,
  ): void {
    const status = statusOf(error);
    if (status === 400) this.parts.onMalformed();
    const { message, data } = answer?.error ?? toErrorObject(error) ?? { message: 'Internal error' };
    const { problem = message, ...details } = isObject(data) ? data : {};
    sender.json(response, status, { error: problem, ...details });
  }
}

function statusOf(error: unknown): number {
  if (error instanceof FramingError) {
    if (error.code === 'INTERNAL_ERROR') return 500;
    // A malformed identifier is answered as one of an unknown key.
    return error.data?.['field'] === 'identifier' ? 404 : 400;
  }
  return error instanceof RequestError ? (REQUEST_ERROR_STATUS[error.code] ?? 500) : 500;
}
