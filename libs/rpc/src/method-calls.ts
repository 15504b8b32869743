import { randomUUID } from 'node:crypto';
import { JSONRPCServer, type JSONRPCErrorResponse, type JSONRPCResponse } from 'json-rpc-2.0';
import { z } from 'zod';
import { assertPermitted } from './assert-permitted.js';
import { LazyCallContext } from './call-context.js';
import { CallTracker } from './call-tracker.js';
import type { Caller } from './caller.js';
import { addressCodec, hashCodec, indexCodec, quantityCodec } from './codecs.js';
import type { MethodDefinition } from './define-method.js';
import type { DispatchedAnswer, DispatcherOptions, RpcResponse } from './dispatcher.js';
import { idOf, isObject, parseEnvelope, type RpcId, type RpcRequest } from './envelope.js';
import { FRAMING_CODES } from './error-codes.js';
import type { FairTurns } from './fair-turns.js';
import { createNameResolver } from './method-names.js';
import { FramingError, isAbort, reasonOf, toErrorObject, type RpcErrorObject } from './rpc-error.js';
import { createMethodRunner, traceMethod } from './run-method.js';

/**
 * Carries the caller and the id through json-rpc-2.0. The library knows every request by the id null: an id of ours may be
 * an integer beyond 2^53, which its types do not have, and is put into the response afterwards.
 *
 * The caller is taken out at the end: what the library's promises point to outlives the call until the next full
 * garbage collection, and a caller points to a whole HTTP request (measured: 2.7 kB a call, and a third of the time in
 * the collector).
 */
interface Delivery {
  caller: Caller | undefined;
  readonly id: RpcId | undefined;
  /** The method as the client named it. */
  readonly calledAs: string;
  error?: unknown;
  forwarded?: unknown;
}

/** Calls the methods of a dispatcher, one request at a time. */
export class MethodCalls {
  private readonly server: JSONRPCServer<Delivery>;
  private readonly tracker: CallTracker;
  private readonly resolveName: (method: string) => string;
  private readonly turns: FairTurns;
  /** Methods whose answers are a few bytes. */
  private readonly small = new Set<string>();

  constructor(
    private readonly options: DispatcherOptions & { readonly turns: FairTurns },
    private readonly served: ReadonlySet<string>,
  ) {
    this.turns = options.turns;
    this.tracker = new CallTracker(options.metrics, options.service);
    this.resolveName = createNameResolver(options.aliases ?? []);
    // The library would log errors to the console and answer unexpected ones with code 0 and their text.
    this.server = new JSONRPCServer<Delivery>({ errorListener: () => undefined });
    this.server.mapErrorToJSONRPCErrorResponse = (_id, error) => failure(this.errorObject(error));
    for (const name of served) this.register(name);
  }

  /** A request for an unknown method is answered with an error. */
  isSmall(wire: unknown): boolean {
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
    const { id, method, params } = request;
    if (!this.served.has(method)) {
      const problem = `the method ${calledAs.slice(0, 80)} does not exist/is not available`;
      await this.turns.next(caller);
      const rejected = this.reject(id ?? null, new FramingError('METHOD_NOT_FOUND', problem));
      return id === undefined ? { response: undefined } : rejected;
    }
    const delivery: Delivery = { caller, id, calledAs };
    const response = await this.server.receive({ jsonrpc: '2.0', id: null, method, params }, delivery);
    const { error, forwarded } = delivery;
    delivery.caller = delivery.error = delivery.forwarded = undefined;
    return { response: responseTo(id, response), error, forwarded };
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
      const started = performance.now();
      const caller = delivery.caller as Caller;
      const { id, calledAs } = delivery;
      const context = new LazyCallContext(caller, id, calledAs, this.turns);
      try {
        assertPermitted(caller, name, { calledAs, permission: definition.permission });
        const wait = context.giveWay();
        if (wait !== undefined) await wait;
        const result = await run(request.params as RpcRequest['params'], context);
        this.tracker.succeeded(name, started);
        return { jsonrpc: '2.0', id: null, result };
      } catch (error) {
        this.tracker.failed(name, reasonOf(error), started);
        delivery.error = error;
        return failure(this.errorObject(error, { name, context }));
      } finally {
        delivery.forwarded = context.forwarded;
        context.finish();
      }
    });
  }

  /** The answer to a request that never became a call of a method. */
  reject(id: RpcId, error: unknown): DispatchedAnswer {
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

/** An error as the library passes it on. */
function failure(error: RpcErrorObject): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id: null, error };
}

/** The response with the id of the request; undefined to a notification. */
function responseTo(id: RpcId | undefined, response: JSONRPCResponse | null): RpcResponse | undefined {
  if (id === undefined || response === null) return undefined;
  const { error } = response;
  return error === undefined
    ? { jsonrpc: '2.0', id, result: response.result }
    : { jsonrpc: '2.0', id, error };
}

/** Whether all results of the method are a few bytes: a number, a hash, an address, yes or no. */
function isSmallResult({ result }: MethodDefinition): boolean {
  const isFixed = [hashCodec, quantityCodec, indexCodec, addressCodec].some((codec) => codec === result);
  return isFixed || result instanceof z.ZodBoolean || result instanceof z.ZodNull;
}
