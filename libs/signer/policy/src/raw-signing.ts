import type { PolicyRule } from './policy-rule.js';

/**
 * Methods that sign whatever bytes they are given, a transaction's too, without knowing what they are. A rule with a
 * limit on transactions therefore allows none of them (docs/adr/0058).
 */
export const RAW_SIGNING_METHODS: ReadonlySet<string> = new Set(['eth1_sign']);

/** Limits on what transactions may be, as they are called in the file. */
export type TransactionLimit = 'chains' | 'recipients' | 'max-value' | 'max-gas' | 'max-gas-price';

/** The first of them that a rule has. */
export function transactionLimit(rule: PolicyRule): TransactionLimit | undefined {
  if (rule.chains !== undefined) return 'chains';
  if (rule.recipients !== undefined) return 'recipients';
  if (rule.maxValue !== undefined) return 'max-value';
  if (rule.maxGas !== undefined) return 'max-gas';
  return rule.maxGasPrice === undefined ? undefined : 'max-gas-price';
}
