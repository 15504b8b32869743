export type { AuditEnd, AuditHead, AuditRecord, ChainedAuditRecord } from './audit-rows.js';
export type { AuditStore } from './audit-store.js';
export type { ClaimedKey, HeldKey, IdempotencyClaim } from './hot/claim-key.js';
export type { SendQuery } from './hot/list-sends.js';
export type { ClaimResult, IdempotencyStore } from './idempotency-store.js';
export type { DecisionQuery, ListedDecision } from './list-decisions.js';
export type { ListedSend } from './list-sends.js';
export type { NonceSequenceStore } from './nonce-sequence-store.js';
export type {
  NonceSequence,
  NonceSequenceKey,
  MoveKind,
  NewlySigned,
  NonceMove,
  NonceName,
  NonceState,
  NonceTiming,
  ReserveRequest,
  SignedEntry,
  SignedNonce,
  StoredSigned,
} from './nonce-rows.js';
export type { NonceCount } from './count-nonces.js';
export type { Gap } from './nonce-gaps.js';
export type { NoncePosition, NoncePositionStore } from './nonce-position-store.js';
export type { NonceStore } from './nonce-store.js';
export type { NonceWatch } from './nonce-watch.js';
export type { RateRequest, RateStore } from './rate-store.js';
export type { ReplicaStore } from './replica-store.js';
export { SIGNER_DATABASE_SETTINGS, openSignerStore, type SignerStore } from './signer-store.js';
