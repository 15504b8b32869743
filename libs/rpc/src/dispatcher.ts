import { randomUUID } from 'node:crypto';
import { RefusalError, type Logger, type Metrics } from '@tetrad/types';
import { LazyCallContext } from './call-context.js';
import { CallTracker } from './call-tracker.js';
import type { AnyHandler, Caller } from './caller.js';
import type { MethodTable } from './define-method.js';
import { idOf, parseEnvelope, type RpcId, type RpcRequest } from './envelope.js';
import { FRAMING_CODES } from './error-codes.js';
import { readJson, writeJson } from './json.js';
import { createNameResolver, namespaceOf, type RpcAlias } from './method-names.js';
import { FramingError, isAbort, reasonOf, toErrorObject, type RpcErrorObject } from './rpc-error.js';
import { createMethodRunner, type MethodRunner } from './run-method.js';

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
  /** Puts errors into the words that the service's clients know; as they are when absent. */
  readonly presentError?: (object: RpcErrorObject, error: unknown) => RpcErrorObject;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Dispatcher {
  /** Answers a body; undefined when it held notifications only. Never rejects. */
  handle(body: Uint8Array | string, caller: Caller): Promise<string | undefined>;
  /** Answers one request that was read already, for a service that frames requests in its own way. Never rejects. */
  answer(request: unknown, caller: Caller): Promise<DispatchedAnswer>;
  /** Whether the method is answered here, by its name or by an alias. */
  serves(method: string): boolean;
  /** Methods that callers can use, in alphabetical order. */
  readonly methodNames: readonly string[];
}

export interface RpcResponse {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly result?: unknown;
  readonly error?: RpcErrorObject;
}

/** What became of one request. */
export interface DispatchedAnswer {
  /** Undefined for a notification. */
  readonly response: RpcResponse | undefined;
  /** What was thrown, when the response is an error. */
  readonly error?: unknown;
  /** What the handler gave to `CallContext.relay`. */
  readonly relayed?: unknown;
}

/** A method that callers can use. */
interface ServedMethod {
  readonly name: string;
  readonly permission: string | undefined;
  readonly run: MethodRunner;
}

/** Builds the way from a body to the handlers and back. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const served = Object.keys(options.handlers).filter(
    (name) => options.exposed === undefined || options.exposed.includes(namespaceOf(name)),
  );
  const engine = new Engine(options, served);
  return {
    methodNames: served.sort(),
    handle: (body, caller) => engine.handle(body, caller),
    answer: (request, caller) => engine.answer(request, caller),
    serves: (method) => engine.serves(method),
  };
}

class Engine {
  private readonly served: ReadonlyMap<string, ServedMethod>;
  private readonly tracker: CallTracker;
  private readonly resolveName: (method: string) => string;

  constructor(
    private readonly options: DispatcherOptions,
    names: readonly string[],
  ) {
    this.tracker = new CallTracker(options.metrics, options.service);
    this.resolveName = createNameResolver(options.aliases ?? []);
    this.served = new Map(names.map((name) => [name, servedMethod(name, options)]));
  }

  async handle(body: Uint8Array | string, caller: Caller): Promise<string | undefined> {
    let parsed: unknown;
    try {
      parsed = readJson(body, this.options.limits.depth);
      const answer = Array.isArray(parsed)
        ? await this.answerBatch(parsed, caller)
        : (await this.answer(parsed, caller)).response;
      return answer === undefined ? undefined : writeJson(answer);
    } catch (error) {
      // Of reading, or of writing: an answer may be longer than the longest string.
      return writeJson(this.reject(idOf(parsed), error).response);
    }
  }

  private async answerBatch(batch: readonly unknown[], caller: Caller): Promise<unknown> {
    const { batch: most } = this.options.limits;
    if (batch.length === 0) throw new FramingError('INVALID_REQUEST', 'invalid request: empty batch');
    if (batch.length > most) {
      const problem = `invalid request: batch of ${batch.length} calls, the limit is ${most}`;
      throw new FramingError('INVALID_REQUEST', problem);
    }
    const answers = await Promise.all(batch.map((request) => this.answer(request, caller)));
    const answered = answers.flatMap(({ response }) => (response === undefined ? [] : [response]));
    return answered.length === 0 ? undefined : answered;
  }

  serves(method: string): boolean {
    return this.served.has(this.resolveName(method));
  }

  /** Not async, which would put three turns of the microtask queue between a call's answer and who waits for it. */
  answer(wire: unknown, caller: Caller): Promise<DispatchedAnswer> {
    let request: RpcRequest;
    try {
      request = parseEnvelope(wire);
    } catch (error) {
      return Promise.resolve(this.reject(idOf(wire), error));
    }
    const name = this.resolveName(request.method);
    const method = this.served.get(name);
    return method === undefined
      ? Promise.resolve(this.rejectMethod(name, request.id))
      : this.call(method, request, caller);
  }

  private async call(
    { name, permission, run }: ServedMethod,
    { id, params }: RpcRequest,
    caller: Caller,
  ): Promise<DispatchedAnswer> {
    const started = performance.now();
    const context = new LazyCallContext(caller, id);
    try {
      assertPermitted(caller, name, permission);
      const result = await run(params, context);
      this.tracker.succeeded(name, started);
      return answerOf(id, { result }, context);
    } catch (error) {
      this.tracker.failed(name, reasonOf(error), started);
      return answerOf(id, { error: this.errorObject(error, { name, context }) }, context, error);
    } finally {
      context.finish();
    }
  }

  private rejectMethod(name: string, id: RpcRequest['id']): DispatchedAnswer {
    const problem = `the method ${name.slice(0, 80)} does not exist/is not available`;
    const rejected = this.reject(id ?? null, new FramingError('METHOD_NOT_FOUND', problem));
    return id === undefined ? { response: undefined } : rejected;
  }

  /** The answer to what never became a call of a method. */
  private reject(id: RpcId, error: unknown): DispatchedAnswer {
    this.tracker.rejected(reasonOf(error));
    return { response: { jsonrpc: '2.0', id, error: this.errorObject(error) }, error };
  }

  /** Expected errors as they are; a fault is logged once, and the caller gets the id of the line. */
  private errorObject(error: unknown, call?: { name: string; context: LazyCallContext }): RpcErrorObject {
    const object = toErrorObject(error) ?? this.reportFault(error, call);
    return this.options.presentError?.(object, error) ?? object;
  }

  private reportFault(error: unknown, call?: { name: string; context: LazyCallContext }): RpcErrorObject {
    const requestId = call?.context.requestId ?? randomUUID();
    const values = { requestId, method: call?.name, error };
    if (isAbort(error)) this.options.logger.debug('call abandoned with its client', values);
    else this.options.logger.error('call failed', values);
    return { code: FRAMING_CODES.INTERNAL_ERROR, message: 'internal error', data: { requestId } };
  }
}

function servedMethod(name: string, { methods, handlers, limits }: DispatcherOptions): ServedMethod {
  const definition = methods[name];
  const handler = handlers[name];
  if (definition === undefined || handler === undefined)
    throw new Error(`no definition of the method ${name}`);
  const run = createMethodRunner(definition, handler, limits.requestTimeoutMs);
  return { name, permission: definition.permission, run };
}

/** What became of a call; notifications get no response. */
function answerOf(
  id: RpcRequest['id'],
  outcome: Pick<RpcResponse, 'result' | 'error'>,
  { relayed }: LazyCallContext,
  error?: unknown,
): DispatchedAnswer {
  const response: RpcResponse | undefined = id === undefined ? undefined : { jsonrpc: '2.0', id, ...outcome };
  return { response, error, relayed };
}

/** Fails: RefusalError FORBIDDEN */
export function assertPermitted(caller: Caller, method: string, permission?: string): void {
  if (caller.may?.(method, permission) !== false) return;
  if (permission === undefined) throw new RefusalError('FORBIDDEN', `not permitted to call ${method}`);
  // In the words of the coin network's own node.
  const bare = method.slice(namespaceOf(method).length + 1);
  throw new RefusalError('FORBIDDEN', `missing permission to invoke '${bare}' (need '${permission}')`, {
    permission,
  });
}
