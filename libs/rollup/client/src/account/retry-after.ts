import { RpcCallError } from '@tetrad/rpc';
import { z } from 'zod';

/** No window of an operator is longer. */
const LONGEST_MS = 86_400_000;

const refusalSchema = z.object({
  reason: z.enum(['QUOTA_EXCEEDED', 'QUEUE_FULL']),
  retryAfterMs: z.number().nonnegative(),
});

/**
 * Whether an operator has refused an operation for the time being: the account has used up its quota, or too much waits. The operation was not
 * stored, and nothing of it is open.
 *
 * @param error - of `send`, `redeem` or `withdraw` of an account
 * @returns ms after which it may be sent again, a day at most whatever the operator says; undefined for other errors
 */
export function retryAfterOf(error: unknown): number | undefined {
  if (!(error instanceof RpcCallError)) return undefined;
  const refusal = refusalSchema.safeParse(error.data);
  return refusal.success ? Math.min(refusal.data.retryAfterMs, LONGEST_MS) : undefined;
}
