import { RpcCallError } from '@tetrad/rpc';
import { OutcomeUnknownError } from '../account/submit-operation.js';
import { ProofError } from '../proofs/account-proof.js';

/**
 * Whether the answer to an operation was lost: the journal has it, and `settle` finds out about it.
 *
 * @param error - of an action
 * @returns true, and which operation it is
 */
export const isOutcomeUnknown = (error: unknown): error is Error & { readonly hash: `0x${string}` } =>
  error instanceof OutcomeUnknownError;

/**
 * Whether the contract does not bear out what the operator says.
 *
 * @param error - of an action
 * @returns true for a proof that does not hold
 */
export const isProofError = (error: unknown): error is Error => error instanceof ProofError;

/**
 * Why the operator refuses: one of its reasons, which stay the same while texts change.
 *
 * @param error - of an action
 * @returns undefined for other errors
 */
export function refusalReasonOf(error: unknown): string | undefined {
  if (!(error instanceof RpcCallError)) return undefined;
  const { reason } = (error.data ?? {}) as { readonly reason?: unknown };
  return typeof reason === 'string' ? reason : undefined;
}
