import { ForwardedError, readJson, writeJson } from '@tetrad/rpc';
import { isHash, parseHash, type Hash } from '@tetrad/types';
import { z } from 'zod';

/** Nesting of a kept answer: deeper than an answer of the client is read, so that each one that was kept can be read again. */
const MAX_DEPTH = 2_048;

const answerSchema = z.union([
  z.strictObject({ result: z.string().refine(isHash) }),
  z.strictObject({
    error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }),
  }),
]);

/**
 * The answer to a send as it is kept for its duplicates: `{"result":hash}` or `{"error":{code,message,data}}`. Integers
 * in `data` may be bigints, which the client's answers have where a double cannot hold them.
 */
export function writeAnswer(answer: Hash | ForwardedError): string {
  return writeJson(answer instanceof ForwardedError ? { error: answer.error } : { result: answer });
}

/**
 * Gives the kept answer again.
 * @throws ForwardedError when it was an error; FramingError or ZodError when the row is damaged
 */
export function readAnswer(json: string): Hash {
  const answer = answerSchema.parse(readJson(json, MAX_DEPTH));
  if ('error' in answer) throw new ForwardedError(answer.error);
  return parseHash(answer.result);
}
