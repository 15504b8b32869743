import { readJson, type RpcErrorObject } from '@tetrad/rpc';
import { z } from 'zod';
import { MAX_ANSWER_DEPTH } from './params.js';

const answerSchema = z
  .looseObject({
    id: z.unknown().optional(),
    result: z.unknown().optional(),
    // Some clients write null beside a result.
    error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).nullish(),
  })
  .refine((answer) => answer.error || 'result' in answer);

/** What the Ethereum client says to one JSON-RPC request. */
export type NodeAnswer =
  | { readonly kind: 'result'; readonly id: unknown; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: unknown; readonly error: RpcErrorObject }
  /** It is not a JSON-RPC response. */
  | { readonly kind: 'unusable' };

/** Reads one response object. */
export function toNodeAnswer(value: unknown): NodeAnswer {
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) return { kind: 'unusable' };
  const { id, error, result } = parsed.data;
  return error ? { kind: 'error', id, error } : { kind: 'result', id, result };
}

/** Reads a body of one response object. */
export function parseNodeAnswer(body: Uint8Array): NodeAnswer {
  return toNodeAnswer(readAnswerBody(body));
}

/** The JSON of a body; undefined when it is not JSON. */
export function readAnswerBody(body: Uint8Array): unknown {
  try {
    return readJson(body, MAX_ANSWER_DEPTH);
  } catch {
    return undefined;
  }
}

export interface ForwardedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Uint8Array;
}
