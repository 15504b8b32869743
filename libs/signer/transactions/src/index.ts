export { accountNotHeld, byAddress, byPublicKey, type AccountName } from './account-named.js';
export { Decisions, type Asker } from './decisions.js';
export { privateEnvelopeOf, type UnsignedPrivateTransaction } from './eea-transaction.js';
export { heldAccounts, type LoadedKeys } from './held-accounts.js';
export { measuredAccounts } from './measured-accounts.js';
export {
  DEFAULT_GAS,
  DEFAULT_GAS_PRICE,
  planPrivate,
  planPublic,
  type ClientCall,
  type PrivateSendRequest,
  type SendPlan,
  type SendRequest,
} from './send-plan.js';
export { privacyGroupId } from '@tetrad/transactions';
export { RequestSigner, sequenceOf, type RequestSignerParts, type SendThrough } from './request-signer.js';
export {
  signTransaction,
  type CompleteTransaction,
  type SignedRaw,
  type SigningAccounts,
} from './sign-transaction.js';
export { typedDataDigest, type TypedMessage } from './typed-data.js';
export { TypedDataError } from './typed-data-bounds.js';
export { AuditLog, type AuditDecision, type AuditOutcome } from './audit/audit-log.js';
export { AUDIT_START, hashAuditEntry } from './audit/entry-hash.js';
export { readRefusal, type Refusal } from './audit/refusal-reason.js';
export {
  faultOfHead,
  verifyAuditChain,
  type AuditFault,
  type AuditVerdict,
} from './audit/verify-audit-chain.js';
export {
  decide,
  type PolicyDecision,
  type PolicyLimit,
  type PolicyRequest,
  type PolicyTransaction,
} from './policy/decide.js';
export { ANONYMOUS, cautionsOf, parsePolicy, readPolicyFile, type Policy } from './policy/policy-file.js';
export { PolicyGate } from './policy/policy-gate.js';
export type { AllowedRecipient, PolicyRule } from './policy/policy-rule.js';
