import { randomUUID } from 'node:crypto';
import { RequestError, type Logger, type Metrics, type Tracer } from '@tetrad/types';
import { JSONRPCServer } from 'json-rpc-2.0';
import { z } from 'zod';
import { HeldBytes, answerBatch, tooLarge, type AnswerLimits, type WrittenAnswer } from './answer-batch.js';
import { LazyCallContext } from './call-context.js';
import { CallTracker } from './call-tracker.js';
import type { AnyHandler, Caller } from './caller.js';
import { addressCodec, hashCodec, indexCodec, quantityCodec } from './codecs.js';
import type { MethodDefinition, MethodTable } from './define-method.js';
import { FairTurns } from './fair-turns.js';
import { idOf, isObject, parseEnvelope, type RpcId, type RpcRequest } from './envelope.js';
import { FRAMING_CODES } from './error-codes.js';
import { readJson, writeJson } from './json.js';
import { isLong, writeJsonInPieces } from './long-values.js';
import { createNameResolver, namespaceOf, type RpcAlias } from './method-names.js';
import { FramingError, isAbort, reasonOf, toErrorObject, type RpcErrorObject } from './rpc-error.js';
import { createMethodRunner, traceMethod } from './run-method.js';

export interface DispatcherLimits {
  /** Calls of a batch. */
  readonly batch: number;
  /** Nesting of a body. */
  readonly depth: number;
  readonly requestTimeoutMs: number;
  /** Bytes of one answer; 25 MB when absent. */
  readonly answerBytes?: number;
  /** Bytes of the answers to a batch together; 25 MB when absent, as in geth. */
  readonly batchAnswerBytes?: number;
}

export const DEFAULT_ANSWER_BYTES = 25_000_000;
/** Batches that hold their maximum at a time; further answers are refused until one is done. */
const FULL_BATCHES = 8;
/** Bodies of more bytes are read in a turn of the event loop that has time for it. */
const LARGE_BODY = 16_384;

export interface DispatcherOptions {
  /** Name of the service, in front of metric names. */
  readonly service: string;
  readonly methods: MethodTable;
  /** Method → handler; a method without one does not exist for callers. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly limits: DispatcherLimits;
  readonly aliases?: readonly RpcAlias[];
  /** Namespaces that are exposed (`eth`, `net`, …); all when absent. */
  readonly exposed?: readonly string[];
  /** Replaces error texts by those that the service's clients know; unchanged when absent. */
  readonly presentError?: (object: RpcErrorObject, error: unknown) => RpcErrorObject;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Shares the main thread between callers; dispatchers of one process have one in common. */
  readonly turns?: FairTurns;
  /** Makes a span of every call; absent where tracing is off. */
  readonly tracer?: Tracer | undefined;
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

/** The outcome of one request. */
export interface DispatchedAnswer {
  /** Undefined for a notification. */
  readonly response: RpcResponse | undefined;
  /** The error that was thrown, when the response is an error. */
  readonly error?: unknown;
  /** The value that the handler passed to `CallContext.forward`. */
  readonly forwarded?: unknown;
}

/**
 * Carries the caller through json-rpc-2.0 and is emptied afterwards: what the library's promises point to outlives
 * the call until the next full garbage collection, and a caller points to a whole HTTP request (measured: 2.7 kB a
 * call, and a third of the time in the collector).
 */
interface Delivery {
  caller: Caller | undefined;
  /** The method as the client named it. */
  calledAs: string;
  error?: unknown;
  forwarded?: unknown;
}

/** Connects framing, limits and handlers. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const served = Object.keys(options.handlers).filter(
    (name) => options.exposed === undefined || options.exposed.includes(namespaceOf(name)),
  );
  const engine = new Engine(options, new Set(served));
  return {
    methodNames: served.sort(),
    handle: (body, caller) => engine.handle(body, caller),
    answer: (request, caller) => engine.answer(request, caller),
    serves: (method) => engine.serves(method),
  };
}

class Engine {
  private readonly server: JSONRPCServer<Delivery>;
  private readonly tracker: CallTracker;
  private readonly resolveName: (method: string) => string;
  private readonly limits: AnswerLimits;
  private readonly held: HeldBytes;
  private readonly turns: FairTurns;
  /** Methods whose answers are a few bytes. */
  private readonly small = new Set<string>();

  constructor(
    private readonly options: DispatcherOptions,
    private readonly served: ReadonlySet<string>,
  ) {
    this.turns = options.turns ?? new FairTurns();
    this.tracker = new CallTracker(options.metrics, options.service);
    this.resolveName = createNameResolver(options.aliases ?? []);
    const { answerBytes = DEFAULT_ANSWER_BYTES, batchAnswerBytes = DEFAULT_ANSWER_BYTES } = options.limits;
    this.limits = { requestTimeoutMs: options.limits.requestTimeoutMs, answerBytes, batchAnswerBytes };
    this.held = new HeldBytes(FULL_BATCHES * batchAnswerBytes);
    // The library would log errors to the console and answer unexpected ones with code 0 and their text.
    this.server = new JSONRPCServer<Delivery>({ errorListener: () => undefined });
    this.server.mapErrorToJSONRPCErrorResponse = (id, error) =>
      ({ jsonrpc: '2.0', id, error: this.errorObject(error) }) as never;
    for (const name of served) this.register(name);
  }

  async handle(body: Uint8Array | string, caller: Caller): Promise<string | undefined> {
    let parsed: unknown;
    try {
      if (body.length > LARGE_BODY) await this.turns.next(caller);
      parsed = readJson(body, this.options.limits.depth);
      return Array.isArray(parsed)
        ? await this.answerBatch(parsed, caller)
        : (await this.answerText(parsed, caller))?.text;
    } catch (error) {
      return writeJson(this.reject(idOf(parsed), error).response);
    }
  }

  /** The answer to one request; undefined to a notification. */
  private async answerText(wire: unknown, caller: Caller): Promise<WrittenAnswer | undefined> {
    const { response, error: thrown } = await this.answer(wire, caller);
    if (response === undefined) return undefined;
    const { answerBytes } = this.limits;
    const spent = isTooLarge(thrown) ? answerBytes : 0;
    const refuse = (error: unknown, bytes: number): WrittenAnswer => ({
      text: writeJson(this.reject(response.id, error).response),
      bytes,
    });
    try {
      const text = isLong(response) ? await this.writeInPieces(response, caller) : writeJson(response);
      const bytes = Buffer.byteLength(text);
      return bytes <= answerBytes
        ? { text, bytes: Math.max(bytes, spent) }
        : refuse(tooLarge(answerBytes), bytes);
    } catch (error) {
      return refuse(isTooLongForText(error) ? tooLarge(answerBytes) : error, answerBytes);
    }
  }

  /** Fails: RequestError RESPONSE_TOO_LARGE, perhaps before the whole answer is written */
  private writeInPieces(response: RpcResponse, caller: Caller): Promise<string> {
    const { answerBytes } = this.limits;
    return writeJsonInPieces(response, {
      most: answerBytes,
      tooLong: () => tooLarge(answerBytes),
      giveWay: () => this.turns.next(caller),
    });
  }

  private answerBatch(batch: readonly unknown[], caller: Caller): Promise<string | undefined> {
    const { batch: most } = this.options.limits;
    if (batch.length === 0) throw new FramingError('INVALID_REQUEST', 'invalid request: empty batch');
    if (batch.length > most) {
      const problem = `invalid request: batch of ${batch.length} calls, the limit is ${most}`;
      throw new FramingError('INVALID_REQUEST', problem);
    }
    return answerBatch(batch, caller, {
      limits: this.limits,
      held: this.held,
      isSmall: (wire) => this.isSmall(wire),
      answer: (wire, sender) => this.answerText(wire, sender),
      refuse: (wire, error) =>
        isObject(wire) && wire['id'] === undefined
          ? undefined
          : writeJson(this.reject(idOf(wire), error).response),
    });
  }

  /** A request for an unknown method is answered with an error. */
  private isSmall(wire: unknown): boolean {
    if (!isObject(wire) || typeof wire['method'] !== 'string') return true;
    const method = this.resolveName(wire['method']);
    return !this.served.has(method) || this.small.has(method);
  }

  serves(method: string): boolean {
    return this.served.has(this.resolveName(method));
  }

  async answer(wire: unknown, caller: Caller): Promise<DispatchedAnswer> {
    let request: RpcRequest;
    let calledAs: string;
    try {
      const named = parseEnvelope(wire);
      calledAs = named.method;
      request = this.resolve(named);
    } catch (error) {
      await this.turns.next(caller);
      return this.reject(idOf(wire), error);
    }
    const { id, method } = request;
    if (!this.served.has(method)) {
      const problem = `the method ${calledAs.slice(0, 80)} does not exist/is not available`;
      await this.turns.next(caller);
      const rejected = this.reject(id ?? null, new FramingError('METHOD_NOT_FOUND', problem));
      return id === undefined ? { response: undefined } : rejected;
    }
    const delivery: Delivery = { caller, calledAs };
    const response = (await this.server.receive(request as never, delivery)) as RpcResponse | null;
    const { error, forwarded } = delivery;
    delivery.caller = delivery.error = delivery.forwarded = undefined;
    return { response: id === undefined ? undefined : (response ?? undefined), error, forwarded };
  }

  private resolve(request: RpcRequest): RpcRequest {
    const method = this.resolveName(request.method);
    return method === request.method ? request : { ...request, method };
  }

  private register(name: string): void {
    const definition = this.options.methods[name];
    const handler = this.options.handlers[name];
    if (definition === undefined || handler === undefined)
      throw new Error(`no definition of the method ${name}`);
    if (isSmallResult(definition)) this.small.add(name);
    const { tracer, limits } = this.options;
    const plain = createMethodRunner(definition, handler, limits.requestTimeoutMs);
    const run = tracer === undefined ? plain : traceMethod(name, plain, tracer);
    this.server.addMethodAdvanced(name, async (request, delivery) => {
      const id = request.id ?? null;
      const started = performance.now();
      const caller = delivery.caller as Caller;
      const { calledAs } = delivery;
      const context = new LazyCallContext(caller, request.id, calledAs, this.turns);
      try {
        assertPermitted(caller, name, { calledAs, permission: definition.permission });
        const wait = context.giveWay();
        if (wait !== undefined) await wait;
        const result = await run(request.params as RpcRequest['params'], context);
        this.tracker.succeeded(name, started);
        return { jsonrpc: '2.0', id, result };
      } catch (error) {
        this.tracker.failed(name, reasonOf(error), started);
        delivery.error = error;
        return { jsonrpc: '2.0', id, error: this.errorObject(error, { name, context }) } as never;
      } finally {
        delivery.forwarded = context.forwarded;
        context.finish();
      }
    });
  }

  /** The answer to a request that never became a call of a method. */
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

/** Whether all results of the method are a few bytes: a number, a hash, an address, yes or no. */
function isSmallResult({ result }: MethodDefinition): boolean {
  const isFixed = [hashCodec, quantityCodec, indexCodec, addressCodec].some((codec) => codec === result);
  return isFixed || result instanceof z.ZodBoolean || result instanceof z.ZodNull;
}

/** Whether the handler has found that its answer would be too large. */
function isTooLarge(error: unknown): boolean {
  return error instanceof RequestError && error.code === 'RESPONSE_TOO_LARGE';
}

/** V8's error for a string beyond its maximum length. */
function isTooLongForText(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Invalid string length';
}

/** Fails: RequestError FORBIDDEN */
export function assertPermitted(
  caller: Caller,
  method: string,
  {
    permission,
    calledAs = method,
  }: { readonly permission?: string | undefined; readonly calledAs?: string } = {},
): void {
  if (caller.may?.(method, permission) !== false) return;
  if (permission === undefined) throw new RequestError('FORBIDDEN', `not permitted to call ${calledAs}`);
  // With the text of the coin network's own node.
  const bare = method.slice(namespaceOf(method).length + 1);
  throw new RequestError('FORBIDDEN', `missing permission to invoke '${bare}' (need '${permission}')`, {
    permission,
  });
}
