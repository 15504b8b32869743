import type { Address } from '@tetrad/types';
import { ANONYMOUS, type Policy } from './policy-file.js';
import type { PolicyRule } from './policy-rule.js';
import { transactionLimit, type TransactionLimit } from './transaction-limit.js';

/** What a caller wants to have done with a key. */
export interface PolicyRequest {
  /** Subject of the caller's token; absent without one. */
  readonly caller?: string | undefined;
  readonly key: Address;
  readonly method: string;
  /** Absent when no transaction is signed. */
  readonly transaction?: PolicyTransaction | undefined;
}

export interface PolicyTransaction {
  readonly chainId: bigint;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  /** Value in wei. */
  readonly value: bigint;
  readonly gas: bigint;
  /** Wei per gas: the price, or the fee cap. */
  readonly gasPrice: bigint;
}

/** What a rule found wrong; `caller-or-key` when no rule is for them. */
export type PolicyLimit = 'caller-or-key' | 'methods' | TransactionLimit;

export type PolicyDecision =
  | { readonly allowed: true; readonly rule: PolicyRule }
  | { readonly allowed: false; readonly rule: string; readonly limit: PolicyLimit };

/** Name under which requests are refused that no rule is for. */
const NO_RULE = 'none';

/**
 * Decides by the first rule of the file that is for the caller and the key; without one the answer is no.
 *
 * One rule decides alone, so that reading it is enough to know what a caller may do.
 */
export function decide(policy: Policy, request: PolicyRequest): PolicyDecision {
  const rule = policy.find((one) => isFor(one, request));
  if (rule === undefined) return { allowed: false, rule: NO_RULE, limit: 'caller-or-key' };
  const limit = exceeded(rule, request);
  return limit === undefined ? { allowed: true, rule } : { allowed: false, rule: rule.name, limit };
}

function isFor({ callers, keys }: PolicyRule, { caller, key }: PolicyRequest): boolean {
  // The word means callers without a token; a caller whose token has this name as its subject is not one of them.
  const isMeant = caller === ANONYMOUS ? callers === undefined : admits(callers, caller ?? ANONYMOUS);
  return isMeant && admits(keys, key);
}

function exceeded(rule: PolicyRule, { method, transaction }: PolicyRequest): PolicyLimit | undefined {
  if (!admits(rule.methods, method)) return 'methods';
  // A limit that cannot be checked is not kept: a permit (typed data) moves what a transaction may not.
  if (transaction === undefined) return transactionLimit(rule);
  const { chainId, to, value, gas, gasPrice } = transaction;
  if (!admits(rule.chains, chainId)) return 'chains';
  if (!admits(rule.recipients, to ?? 'contract-creation')) return 'recipients';
  if (isAbove(value, rule.maxValue)) return 'max-value';
  if (isAbove(gas, rule.maxGas)) return 'max-gas';
  return isAbove(gasPrice, rule.maxGasPrice) ? 'max-gas-price' : undefined;
}

function admits<Member>(allowed: ReadonlySet<Member> | undefined, member: Member): boolean {
  return allowed === undefined || allowed.has(member);
}

function isAbove(amount: bigint, cap: bigint | undefined): boolean {
  return cap !== undefined && amount > cap;
}
