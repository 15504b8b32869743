import { ForwardedError } from '@tetrad/rpc';
import { isHash, parseHash, type Hash } from '@tetrad/types';
import { z } from 'zod';

const answerSchema = z.union([
  z.strictObject({ result: z.string().refine(isHash) }),
  z.strictObject({
    error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }),
  }),
]);

/** The answer to a send as it is kept for its duplicates: `{"result":hash}` or `{"error":{code,message,data}}`. */
export function writeAnswer(answer: Hash | ForwardedError): string {
  return JSON.stringify(answer instanceof ForwardedError ? { error: answer.error } : { result: answer });
}

/**
 * Gives the kept answer again.
 * @throws ForwardedError when it was an error; ZodError when the row is damaged
 */
export function readAnswer(json: string): Hash {
  const answer = answerSchema.parse(JSON.parse(json));
  if ('error' in answer) throw new ForwardedError(answer.error);
  return parseHash(answer.result);
}
