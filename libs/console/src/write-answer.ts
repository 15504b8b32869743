import { FRAMING_CODES, readJson } from '@tetrad/rpc';
import { z } from 'zod';

/** Levels of an answer: itself, an error, its data, and what those hold. */
const MAX_DEPTH = 16;

/** Characters of a result or a message; results of writes are hashes and short texts. */
const MAX_TEXT = 2_000;

const answerSchema = z.looseObject({
  result: z.string().max(MAX_TEXT).nullish(),
  error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).nullish(),
});

/** What became of a write. */
export type WriteOutcome =
  | { readonly kind: 'done'; readonly result: string | null }
  /** By the service: it changed nothing. */
  | { readonly kind: 'refused'; readonly message: string }
  /** It never reached the service. */
  | { readonly kind: 'unsent'; readonly message: string }
  /** It may have taken effect, or may do so later. */
  | { readonly kind: 'unknown'; readonly message: string };

/**
 * What an HTTP answer says about a write. Everything that is not a clear answer is unknown, since a repetition by hand could make
 * the change twice.
 */
export function outcomeOf(status: number, body: Uint8Array): WriteOutcome {
  const answer = read(body);
  if (answer?.error) return outcomeOfError(answer.error);
  if (status === 200 && answer !== undefined && 'result' in answer)
    return { kind: 'done', result: answer.result ?? null };
  const message = `answers with HTTP status ${status}`;
  // Of these no service has looked at the body.
  return { kind: [401, 403, 413, 415, 429].includes(status) ? 'unsent' : 'unknown', message };
}

function outcomeOfError({ code, message, data }: NonNullable<z.output<typeof answerSchema>['error']>) {
  const { reason } = (data ?? {}) as { readonly reason?: unknown };
  const isUnclear = code === FRAMING_CODES.INTERNAL_ERROR || UNCLEAR.has(String(reason));
  return { kind: isUnclear ? 'unknown' : 'refused', message: message.slice(0, MAX_TEXT) } as const;
}

/** Refusals that say nothing of what was done until then. */
const UNCLEAR: ReadonlySet<string> = new Set([
  'REQUEST_TIMEOUT',
  'DATABASE_UNAVAILABLE',
  'CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT',
]);

function read(body: Uint8Array) {
  try {
    const parsed = answerSchema.safeParse(readJson(body, MAX_DEPTH));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
