import type { RequestError } from '@tetrad/types';

/** Why a request was refused, as its caller was answered. */
export interface Refusal {
  /** Code of the error. */
  readonly reason: string;
  /** Of a refusal by a policy: its rule, and what of it was not met. */
  readonly rule?: string | undefined;
  readonly limit?: string | undefined;
}

/**
 * What the audit log keeps of it.
 *
 * Layout: code; of a refusal by a policy code ‖ space ‖ limit ‖ space ‖ rule. Code and limit have no spaces, a rule may.
 */
export function reasonOfRefusal({
  code,
  data: { rule, limit },
}: Pick<RequestError, 'code' | 'data'>): string {
  return typeof rule === 'string' && typeof limit === 'string' ? `${code} ${limit} ${rule}` : code;
}

/** The refusal of a reason in the log; those of earlier versions name no rule. */
export function readRefusal(text: string): Refusal {
  const [, reason = text, limit, rule] = /^(\S+) (\S+) (.+)$/s.exec(text) ?? [];
  return { reason, rule, limit };
}
