import { z } from 'zod';
import { TetradError } from '@tetrad/types';
import type { RpcErrorObject } from './rpc-error.js';

/** The other side answered with an error. */
export class RpcCallError extends Error {
  override readonly name = 'RpcCallError';
  readonly code: number;
  readonly data: unknown;

  constructor(readonly error: RpcErrorObject) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}

/** The server sent no answer, or one that is not JSON-RPC; whether the call was executed is unknown. */
export class RpcTransportError extends TetradError {
  override readonly name = 'RpcTransportError';
  override readonly code = 'RPC_TRANSPORT';
}

/** One response object: an error, or a result that may be null. */
export interface RpcAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: RpcErrorObject | undefined;
}

const answerSchema = z.looseObject({
  id: z.unknown().optional(),
  result: z.unknown().optional(),
  // Some servers send `"error": null` beside a result.
  error: z
    .looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .nullish()
    .transform((error) => error ?? undefined),
});

/** @throws RpcTransportError when it is not a response object */
export function parseAnswer(body: unknown, url: string): RpcAnswer {
  const parsed = answerSchema.safeParse(body);
  if (parsed.success && (parsed.data.error !== undefined || 'result' in parsed.data)) return parsed.data;
  throw new RpcTransportError(`${url}: the answer is not a JSON-RPC response`);
}
