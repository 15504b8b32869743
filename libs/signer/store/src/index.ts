export type { AuditEnd, AuditHead, AuditRecord, AuditRow } from './audit-rows.js';
export type { AuditStore } from './audit-store.js';
export type { ClaimResult, IdempotencyClaim, IdempotencyStore } from './idempotency-store.js';
export { listDecisions, type DecisionQuery, type DecisionRow } from './list-decisions.js';
export { listSends, type SendQuery, type SendRow } from './list-sends.js';
export type { NonceSequenceStore } from './nonce-sequence-store.js';
export type {
  NonceSequence,
  NonceSequenceKey,
  MoveKind,
  NonceMove,
  NonceName,
  NonceState,
  NonceTiming,
  ReserveRequest,
  SignedEntry,
  SignedNonce,
} from './nonce-rows.js';
export { countNonces, type NonceCount } from './count-nonces.js';
export type { Gap } from './nonce-gaps.js';
export type { NoncePosition, NoncePositionStore } from './nonce-position-store.js';
export type { NonceStore } from './nonce-store.js';
export type { NonceWatch } from './nonce-watch.js';
export type { RateRequest, RateStore } from './rate-store.js';
export type { ReplicaStore } from './replica-store.js';
export { SIGNER_DATABASE_SETTINGS, openSignerStore, type SignerStore } from './signer-store.js';
