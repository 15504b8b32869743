export {
  NO_RULE,
  decide,
  type PolicyDecision,
  type PolicyLimit,
  type PolicyRequest,
  type PolicyTransaction,
} from './decide.js';
export { ANONYMOUS, cautionsOf, parsePolicy, readPolicyFile, type Policy } from './policy-file.js';
export { PolicyGate } from './policy-gate.js';
export type { AllowedRecipient, PolicyRule } from './policy-rule.js';
