import type { z } from 'zod';

/** One positional parameter: its codec decodes the wire value and encodes it again for the typed client. */
export interface ParameterDefinition<
  Schema extends z.ZodType = z.ZodType,
  Optional extends boolean = boolean,
> {
  readonly name: string;
  readonly summary: string;
  readonly schema: Schema;
  readonly optional: Optional;
  /** Other names under which clients send it. */
  readonly alsoNamed?: readonly string[];
}

/** A departure from the documented parameters that clients rely on; applied before validation. */
export interface Tolerance {
  readonly what: string;
  /** Where the departure is seen, for example a sample request of the interface document. */
  readonly source: string;
  /** Puts the parameters into their documented form; returns them unchanged when the departure is absent. */
  readonly normalize: (params: readonly unknown[]) => readonly unknown[];
}

export interface MethodExample {
  readonly summary: string;
  readonly params: readonly unknown[];
  readonly result: unknown;
}

/** Everything known of a method; dispatch, client, documents and tests are derived from it. */
export interface MethodDefinition<
  Params extends readonly ParameterDefinition[] = readonly ParameterDefinition[],
  Result extends z.ZodType = z.ZodType,
> {
  readonly summary: string;
  readonly params: Params;
  readonly result: Result;
  /** Stable reasons of the method's rejections; each is a key of the table in `error-codes.ts`. */
  readonly errors: readonly string[];
  readonly accepts: readonly Tolerance[];
  /** Role that the caller's account must have, where the interface document states one. */
  readonly caller?: string;
  /** Permission that a token must carry, in services whose tokens carry permissions instead of method names. */
  readonly permission?: string;
  /** Section of the interface document, or of the Ethereum execution API. */
  readonly source: string;
  readonly examples: readonly MethodExample[];
}

/** Method name on the wire → definition. */
export type MethodTable = Readonly<Record<string, MethodDefinition>>;

/** Decoded parameters of a method, in order; an optional one that was left out is undefined. */
export type ParamsOf<Definition extends MethodDefinition> = DecodedParams<Definition['params']>;

/** Over a type parameter of its own, because only then does the mapping keep a tuple a tuple. */
type DecodedParams<Params extends readonly ParameterDefinition[]> = {
  -readonly [Index in keyof Params]: Params[Index] extends ParameterDefinition<infer Schema, infer Optional>
    ? Optional extends true
      ? z.output<Schema> | undefined
      : z.output<Schema>
    : never;
};

/** The result of a handler, which the codec encodes. */
export type ResultOf<Definition extends MethodDefinition> = z.output<Definition['result']>;

/** A client that stays connected and receives notifications. */
export interface Connection {
  /** Sends a JSON-RPC notification; dropped when the client has gone. */
  notify(method: string, params: unknown): void;
  /** Calls the listener once when the client has gone. */
  onClose(listener: () => void): void;
}

/** The caller of a method, and whether the caller still waits. */
export interface CallContext {
  /** Correlation id, on every log line of the call. */
  readonly requestId: string;
  /** The method as the client named it: by an alias perhaps. */
  readonly calledAs: string;
  /** The JSON-RPC id of the call, when it has one. */
  readonly callId?: string | number | bigint | null | undefined;
  /** Aborted when the client is gone or the time-out has passed. */
  readonly signal: AbortSignal;
  /** Whether `signal` is aborted, or would be: for handlers that poll, without the cost of the signal. */
  readonly isAbandoned: boolean;
  /**
   * Asked between two pieces of work of a few milliseconds, so that other callers, blocks and peers have their turn.
   * @returns what must be awaited; undefined when the next piece may begin at once
   * @throws AbortError as `signal`
   */
  giveWay(): Promise<void> | undefined;
  /** Lower-case header names; empty for WebSocket calls. */
  readonly headers: Readonly<Record<string, string>>;
  /** The values of each header as received, repeated ones apart; absent without an HTTP request. */
  readonly headerValues?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  /** Subject of the verified token; absent when authentication is off. */
  readonly subject?: string | undefined;
  /** Claims of the verified token; absent when authentication is off. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  /** Network address of the client; absent where the transport has none. */
  readonly address?: string | undefined;
  /** Where notifications can be sent; absent over HTTP. */
  readonly connection?: Connection | undefined;
  /** Keeps the answer of another service unchanged, for a framing that passes it on; see `Dispatcher.answer`. */
  forward?(answer: unknown): void;
}

export type Handler<Definition extends MethodDefinition> = (
  params: ParamsOf<Definition>,
  context: CallContext,
) => Promise<ResultOf<Definition>> | ResultOf<Definition>;

/** A handler for each method of the table: a missing one does not compile. */
export type Handlers<Table extends MethodTable> = { readonly [Name in keyof Table]: Handler<Table[Name]> };

/** A required positional parameter. */
export function param<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  summary: string,
): ParameterDefinition<Schema, false> {
  return { name, schema, summary, optional: false };
}

/** A positional parameter that may be left out or sent as null. */
export function optionalParam<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  summary: string,
): ParameterDefinition<Schema, true> {
  return { name, schema, summary, optional: true };
}

/** Keeps the exact types of the parameters and the result for `Handlers` and the client. */
export function defineMethod<const Params extends readonly ParameterDefinition[], Result extends z.ZodType>(
  definition: Omit<MethodDefinition<Params, Result>, 'errors' | 'accepts'> &
    Partial<Pick<MethodDefinition, 'errors' | 'accepts'>>,
): MethodDefinition<Params, Result> {
  return { errors: [], accepts: [], ...definition };
}
