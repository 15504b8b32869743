import { RefusalError } from '@tetrad/types';
import { z } from 'zod';
import type { LazyCallContext } from './call-context.js';
import type { AnyHandler } from './caller.js';
import { decodeParams, type WireParams } from './decode-params.js';
import type { CallContext, MethodDefinition } from './define-method.js';

/** From parameters on the wire to the result on the wire. */
export type MethodRunner = (params: WireParams, context: LazyCallContext) => unknown;

/** Joins a definition and its handler. Fails: whatever decoding, the handler or the time-out throws */
export function createMethodRunner(
  definition: MethodDefinition,
  handler: AnyHandler,
  timeoutMs: number,
): MethodRunner {
  const run = handler as (params: unknown[], context: CallContext) => unknown;
  const encode = encoderOf(definition);
  return (wire, context) => {
    const result = run(decodeParams(definition, wire), context);
    return result instanceof Promise ? within(result, encode, { timeoutMs, context }) : encode(result);
  };
}

/** Gives up waiting when the time is over, and tells the handler so. */
function within(
  result: Promise<unknown>,
  encode: (value: unknown) => unknown,
  { timeoutMs, context }: { readonly timeoutMs: number; readonly context: LazyCallContext },
): Promise<unknown> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      context.abort();
      fail(new RefusalError('REQUEST_TIMEOUT', `request timed out after ${timeoutMs} ms`));
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

/** Encodes results; one that the codec does not take is a fault of the handler. */
function encoderOf({ result }: MethodDefinition): (value: unknown) => unknown {
  // A codec that changes nothing need not run.
  if (result instanceof z.ZodString || result instanceof z.ZodBoolean || result instanceof z.ZodNull) {
    return (value) => value;
  }
  return (value) => {
    // What `z.encode` does, without the copy of its options that takes as long as the rest (measured).
    const made = result._zod.run({ value, issues: [] }, { async: false, direction: 'backward' });
    return made instanceof Promise || made.issues.length > 0 ? z.encode(result, value as never) : made.value;
  };
}
