import { fileURLToPath } from 'node:url';

export type { AuditHead, AuditRecord, AuditRow, AuditStore } from './audit-store.js';
export type { ClaimResult, IdempotencyClaim, IdempotencyStore } from './idempotency-store.js';
export type { LaneStore } from './lane-store.js';
export type {
  Lane,
  LaneKey,
  MoveKind,
  NonceMove,
  NonceName,
  NonceState,
  NonceTiming,
  ReserveRequest,
  SignedEntry,
  SignedNonce,
} from './nonce-rows.js';
export type { NonceStore } from './nonce-store.js';
export type { NonceWatch } from './nonce-watch.js';
export type { RateRequest, RateStore } from './rate-store.js';
export type { ReplicaStore } from './replica-store.js';
export {
  DEFAULT_NONCE_TIMING,
  SIGNER_DATABASE_SETTINGS,
  openSignerStore,
  type SignerStore,
} from './signer-store.js';

/** Folder of the signer's schema and migrations. */
export const SIGNER_PRISMA_FOLDER = fileURLToPath(new URL('../../../../prisma/signer', import.meta.url));
