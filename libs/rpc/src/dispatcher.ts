import { randomUUID } from 'node:crypto';
import type { Logger, Metrics } from '@tetrad/types';
import { RefusalError } from '@tetrad/types';
import { JSONRPCServer } from 'json-rpc-2.0';
import { z } from 'zod';
import { CallTracker } from './call-tracker.js';
import { decodeParams } from './decode-params.js';
import type { CallContext, Connection, MethodDefinition, MethodTable } from './define-method.js';
import { idOf, parseEnvelope, type RpcId, type RpcRequest } from './envelope.js';
import { FRAMING_CODES } from './error-codes.js';
import { readJson, writeJson } from './json.js';
import { FramingError, reasonOf, toErrorObject, type RpcErrorObject } from './rpc-error.js';

/** A handler whose parameters and result were checked against its definition when it was registered. */
export type AnyHandler = (params: never, context: CallContext) => unknown;

/** Another name for a method, or for all methods of a namespace. */
export interface RpcAlias {
  readonly from: string;
  readonly to: string;
}

/** What the transport knows of whoever sent a body. */
export interface Caller {
  readonly subject?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the caller may use the method; absent when everyone may. */
  readonly may?: (method: string) => boolean;
  /** The connection to push notifications to; absent over HTTP. */
  readonly connection?: Connection;
  /** Aborted when the client is gone. */
  readonly signal?: AbortSignal;
}

/** Answers methods that this service does not have itself; gets and gives whole JSON-RPC objects. */
export type PassThrough = (request: RpcRequest, caller: Caller) => Promise<unknown>;

export interface DispatcherOptions {
  /** Name of the service, in front of metric names. */
  readonly service: string;
  readonly methods: MethodTable;
  /** Method → handler; a method without one does not exist for callers. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly limits: { readonly batch: number; readonly depth: number; readonly requestTimeoutMs: number };
  readonly aliases?: readonly RpcAlias[];
  /** Namespaces that are exposed (`eth`, `net`, …); all when absent. */
  readonly exposed?: readonly string[];
  readonly passThrough?: PassThrough;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Dispatcher {
  /** Answers a body; undefined when it held notifications only. Never rejects. */
  handle(body: Uint8Array | string, caller: Caller): Promise<string | undefined>;
  /** Methods that callers can use, in alphabetical order. */
  readonly methodNames: readonly string[];
}

interface RpcResponse {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly result?: unknown;
  readonly error?: RpcErrorObject;
}

/** Namespace of a method: what stands before the first separator (`eth_call`, `Coin.WalletHas`). */
export function namespaceOf(method: string): string {
  return method.split(/[_.]/, 1)[0] as string;
}

/** Builds the way from a body to the handlers and back. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const served = Object.keys(options.handlers).filter(
    (name) => options.exposed === undefined || options.exposed.includes(namespaceOf(name)),
  );
  const engine = new Engine(options, new Set(served));
  return { methodNames: served.sort(), handle: (body, caller) => engine.handle(body, caller) };
}

class Engine {
  private readonly server: JSONRPCServer<Caller>;
  private readonly tracker: CallTracker;
  private readonly aliases: ReadonlyMap<string, string>;

  constructor(
    private readonly options: DispatcherOptions,
    private readonly served: ReadonlySet<string>,
  ) {
    this.tracker = new CallTracker(options.metrics, options.service);
    this.aliases = new Map(options.aliases?.map(({ from, to }) => [from, to]));
    // The library would log errors to the console and answer unexpected ones with code 0 and their text.
    this.server = new JSONRPCServer<Caller>({ errorListener: () => undefined });
    this.server.mapErrorToJSONRPCErrorResponse = (id, error) =>
      ({ jsonrpc: '2.0', id, error: this.errorObject(error) }) as never;
    for (const name of served) this.register(name);
  }

  async handle(body: Uint8Array | string, caller: Caller): Promise<string | undefined> {
    let parsed: unknown;
    try {
      parsed = readJson(body, this.options.limits.depth);
    } catch (error) {
      return this.write({ jsonrpc: '2.0', id: null, error: this.errorObject(error) });
    }
    if (!Array.isArray(parsed)) {
      const response = await this.answer(parsed, caller);
      return response === undefined ? undefined : this.write(response);
    }
    const problem = this.batchProblem(parsed);
    if (problem !== undefined)
      return this.write({ jsonrpc: '2.0', id: null, error: this.errorObject(problem) });
    const responses = await Promise.all(parsed.map((request) => this.answer(request, caller)));
    const answered = responses.filter((response) => response !== undefined);
    return answered.length === 0 ? undefined : this.write(answered);
  }

  private batchProblem(batch: readonly unknown[]): FramingError | undefined {
    const { batch: most } = this.options.limits;
    if (batch.length === 0) return new FramingError('INVALID_REQUEST', 'invalid request: empty batch');
    if (batch.length <= most) return undefined;
    return new FramingError(
      'INVALID_REQUEST',
      `invalid request: batch of ${batch.length} calls, the limit is ${most}`,
    );
  }

  private async answer(wire: unknown, caller: Caller): Promise<unknown> {
    let request: RpcRequest;
    try {
      request = this.resolveAlias(parseEnvelope(wire));
    } catch (error) {
      return { jsonrpc: '2.0', id: idOf(wire), error: this.errorObject(error) };
    }
    if (!this.served.has(request.method)) return this.answerForeign(request, caller);
    const response = await this.server.receive(request as never, caller);
    return request.id === undefined ? undefined : response;
  }

  private async answerForeign(request: RpcRequest, caller: Caller): Promise<unknown> {
    const { passThrough, handlers, methods } = this.options;
    const own = request.method in methods || request.method in handlers;
    if (passThrough !== undefined && !own) {
      try {
        return await passThrough(request, caller);
      } catch (error) {
        return this.unlessNotification(request, error);
      }
    }
    const message = `the method ${request.method.slice(0, 80)} does not exist/is not available`;
    return this.unlessNotification(request, new FramingError('METHOD_NOT_FOUND', message));
  }

  private unlessNotification(request: RpcRequest, error: unknown): RpcResponse | undefined {
    const answer = this.errorObject(error);
    return request.id === undefined ? undefined : { jsonrpc: '2.0', id: request.id, error: answer };
  }

  private resolveAlias(request: RpcRequest): RpcRequest {
    if (this.aliases.size === 0) return request;
    const whole = this.aliases.get(request.method);
    if (whole !== undefined) return { ...request, method: whole };
    const namespace = namespaceOf(request.method);
    const target = this.aliases.get(namespace);
    return target === undefined
      ? request
      : { ...request, method: target + request.method.slice(namespace.length) };
  }

  private register(name: string): void {
    const definition = this.options.methods[name];
    const handler = this.options.handlers[name];
    if (definition === undefined || handler === undefined)
      throw new Error(`no definition of the method ${name}`);
    const encode = encoderOf(definition);
    this.server.addMethodAdvanced(name, async (request, caller) => {
      const started = performance.now();
      try {
        if (caller.may?.(name) === false)
          throw new RefusalError('FORBIDDEN', `not permitted to call ${name}`);
        const params = decodeParams(definition, request.params as RpcRequest['params']);
        const result = await this.run(handler as Run, params, { caller, callId: request.id ?? undefined });
        this.tracker.succeeded(name, started);
        return { jsonrpc: '2.0', id: request.id ?? null, result: encode(result) };
      } catch (error) {
        this.tracker.failed(name, reasonOf(error));
        return { jsonrpc: '2.0', id: request.id ?? null, error: this.errorObject(error, name) } as never;
      }
    });
  }

  /** Calls the handler, and gives up waiting when its time is over. */
  private run(
    handler: Run,
    params: unknown[],
    { caller, callId }: { caller: Caller; callId: unknown },
  ): unknown {
    const context = new Context(caller, callId as CallContext['callId']);
    const result = handler(params, context);
    if (!(result instanceof Promise)) return result;
    const { requestTimeoutMs } = this.options.limits;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => {
        context.abort();
        fail(new RefusalError('REQUEST_TIMEOUT', `request timed out after ${requestTimeoutMs} ms`));
      }, requestTimeoutMs);
      result.then(done, fail).finally(() => clearTimeout(timer));
    });
  }

  private write(response: unknown): string {
    return writeJson(response);
  }

  /** Expected errors as they are; a fault is logged once, and the caller gets the id of the line. */
  private errorObject(error: unknown, method?: string): RpcErrorObject {
    const expected = toErrorObject(error);
    if (expected !== undefined) return expected;
    const requestId = randomUUID();
    this.options.logger.error('call failed', { requestId, method, error });
    return { code: FRAMING_CODES.INTERNAL_ERROR, message: 'internal error', data: { requestId } };
  }
}

type Run = (params: unknown[], context: CallContext) => unknown;

/** Costly parts are made when a handler asks for them; most never do. */
class Context implements CallContext {
  private id: string | undefined;
  private controller: AbortController | undefined;
  private aborted = false;

  constructor(
    private readonly caller: Caller,
    readonly callId: CallContext['callId'],
  ) {}

  get requestId(): string {
    return (this.id ??= randomUUID());
  }

  get headers(): Readonly<Record<string, string>> {
    return this.caller.headers;
  }

  get subject(): string | undefined {
    return this.caller.subject;
  }

  get connection(): Connection | undefined {
    return this.caller.connection;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.aborted) this.controller.abort();
      this.caller.signal?.addEventListener('abort', () => this.controller?.abort(), { once: true });
    }
    return this.controller.signal;
  }

  abort(): void {
    this.aborted = true;
    this.controller?.abort();
  }
}

/** Encodes results; one that the codec does not take is a fault of the handler. */
function encoderOf({ result }: MethodDefinition): (value: unknown) => unknown {
  // A codec that changes nothing need not run.
  if (result instanceof z.ZodString || result instanceof z.ZodBoolean || result instanceof z.ZodNull) {
    return (value) => value;
  }
  return (value) => z.encode(result, value as never);
}
