import type { Logger, Metrics, Tracer } from '@tetrad/types';
import type { AnyHandler, Caller } from './caller.js';
import type { MethodTable } from './define-method.js';
import type { RpcId } from './envelope.js';
import type { FairTurns } from './fair-turns.js';
import type { RpcAlias } from './method-names.js';
import type { RpcErrorObject } from './rpc-error.js';

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
  /** Whether the result of a request is a few bytes whatever happens: a hash, an address, yes or no. */
  isSmall(request: unknown): boolean;
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
