import { RequestError, type Tracer } from '@tetrad/types';
import { z } from 'zod';
import type { LazyCallContext } from './call-context.js';
import type { AnyHandler } from './caller.js';
import type { Counter } from './count-first.js';
import { countersOf, decodeParams, type WireParams } from './decode-params.js';
import type { CallContext, MethodDefinition } from './define-method.js';
import { encodeInPieces, isLong, type GiveWay } from './long-values.js';

/** Runs a method, from parameters on the wire to the result on the wire. */
export type MethodRunner = (params: WireParams, context: LazyCallContext) => unknown;

/**
 * Joins a definition and its handler.
 * @throws whatever decoding, the handler or the time-out throws
 */
export function createMethodRunner(
  definition: MethodDefinition,
  handler: AnyHandler,
  timeoutMs: number,
): MethodRunner {
  const run = handler as (params: unknown[], context: CallContext) => unknown;
  const encode = encoderOf(definition);
  let compiled: CompiledMethod | undefined;
  return (wire, context) => {
    // At the first call: it takes milliseconds, and many methods are never called.
    compiled ??= compileMethod(definition);
    const result = run(decodeParams(compiled.definition, wire, compiled.counters), context);
    const write = (value: unknown) => encode(value, () => context.giveWay());
    return result instanceof Promise ? within(result, write, { timeoutMs, context }) : write(result);
  };
}

/** The runner in a span with the name of the method. */
export function traceMethod(name: string, run: MethodRunner, tracer: Tracer): MethodRunner {
  const values = { 'rpc.system': 'jsonrpc', 'rpc.method': name };
  return (wire, context) => tracer.run(name, () => run(wire, context), { values });
}

interface CompiledMethod {
  readonly definition: MethodDefinition;
  readonly counters: readonly Counter[];
}

/** The same definition, with schemas that parse valid values in half the time (measured). */
function compileMethod(definition: MethodDefinition): CompiledMethod {
  const params = definition.params.map((one) => ({ ...one, schema: z.compile(one.schema) }));
  return { definition: { ...definition, params }, counters: countersOf(definition) };
}

/** Stops waiting at the time-out, and aborts the handler's signal. */
function within(
  result: Promise<unknown>,
  encode: (value: unknown) => unknown,
  { timeoutMs, context }: { readonly timeoutMs: number; readonly context: LazyCallContext },
): Promise<unknown> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      context.abort();
      fail(new RequestError('REQUEST_TIMEOUT', `request timed out after ${timeoutMs} ms`));
    }, timeoutMs);
    // Not `finally`, which makes two promises more.
    result
      .then((value) => {
        clearTimeout(timer);
        done(encode(value));
      })
      .catch((error: unknown) => {
        clearTimeout(timer);
        fail(error);
      });
  });
}

/** Encodes results, long ones in pieces; a result that the codec rejects is a fault of the handler. */
function encoderOf({ result }: MethodDefinition): (value: unknown, giveWay: GiveWay) => unknown {
  // A codec that changes nothing need not run.
  if (result instanceof z.ZodString || result instanceof z.ZodBoolean || result instanceof z.ZodNull) {
    return (value) => value;
  }
  return (value, giveWay) =>
    isLong(value) ? encodeInPieces(result, value, giveWay) : z.encode(result, value as never);
}
