import { FramingError, readJson } from '@tetrad/rpc';
import { z } from 'zod';
import { EtcdError, textOf } from './etcd-error.js';

/** The deepest answer is that of a range within a transaction: six levels. */
const MAX_DEPTH = 8;
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

const integer = (min: bigint, max: bigint) =>
  z.string().transform((text, context) => {
    // At most 20 digits, so that reading them is cheap; without leading zeros, so that each number has one encoding.
    const value = /^(?:0|-?[1-9]\d{0,19})$/.test(text) ? BigInt(text) : undefined;
    if (value !== undefined && value >= min && value <= max) return value;
    context.addIssue({ code: 'custom', message: `not an integer from ${min} to ${max} in a string` });
    return z.NEVER;
  });

/** Revisions, counts, times. The gateway omits zeros. */
export const int64 = integer(-MAX_INT64 - 1n, MAX_INT64);
export const count = integer(0n, MAX_INT64).default(0n);
/** Ids of clusters and members. */
export const uint64 = integer(0n, MAX_UINT64).default(0n);

/** The gateway omits empty values. */
export const bytes = z
  .string()
  .transform((text, context) => {
    const value = Buffer.from(text, 'base64');
    if (value.toString('base64') === text) return value;
    context.addIssue({ code: 'custom', message: 'not base64' });
    return z.NEVER;
  })
  .default(() => Buffer.alloc(0));

export const flag = z.boolean().default(false);

/**
 * Reads one JSON text of etcd. Unknown members are dropped, since later versions of etcd have more.
 * @throws EtcdError malformed, after which the request may have been executed, as nothing in such an answer is reliable
 */
export function readAs<T>(schema: z.ZodType<T>, text: Uint8Array, endpoint: string): T {
  const result = schema.safeParse(readText(text, endpoint));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw malformed(endpoint, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** @throws EtcdError malformed when it is not JSON within the bounds, or has a duplicate key */
export function readText(text: Uint8Array, endpoint: string): unknown {
  try {
    return readJson(text, MAX_DEPTH);
  } catch (error) {
    if (error instanceof FramingError) throw malformed(endpoint, textOf(error));
    throw error;
  }
}

export function malformed(endpoint: string, problem: string): EtcdError {
  return new EtcdError('malformed', `${endpoint} answers what etcd does not: ${problem}`, {
    mayBeExecuted: true,
  });
}
