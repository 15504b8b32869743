import type { PolicyRule } from './policy-rule.js';

/** Signs whatever bytes it is given, a transaction's too, without knowing what they are (docs/adr/0025). */
export const RAW_SIGNING_METHOD = 'eth1_sign';

/** Methods that do not sign a transaction. A rule with a limit on transactions allows none of them (docs/adr/0025). */
const MESSAGE_METHODS = ['eth_sign', 'eth_signTypedData', 'eth_signTypedData_v4'];

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

/** Methods that a rule names and never allows, as one of its limits cannot be checked for them. */
export function methodsNeverAllowed(rule: PolicyRule): readonly string[] {
  return transactionLimit(rule) === undefined
    ? []
    : [...(rule.methods ?? [])].filter((name) => MESSAGE_METHODS.includes(name));
}
