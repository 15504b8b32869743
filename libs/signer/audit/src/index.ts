export { AuditLog, type AuditDecision, type AuditOutcome } from './audit-log.js';
export { AUDIT_START, hashAuditEntry } from './entry-hash.js';
export { faultOfHead, verifyAuditChain, type AuditFault, type AuditVerdict } from './verify-audit-chain.js';
