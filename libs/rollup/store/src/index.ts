export type { Acceptance } from './accept-operations.js';
export type { AccountDetails, AccountRow, AccountVersion } from './account-rows.js';
export type { AdoptablePlace, AdoptedOperation } from './adoption-rows.js';
export type { BatchChange, BatchRoots, BatchRow, BatchState } from './batch-rows.js';
export type { ChainBlockRow, ChainEvents, OutboundRequestRow, TokenRow } from './chain-rows.js';
export type { BatchPlace, ExecutedOperation, ExecutionWrite, WrittenBatch } from './execution-rows.js';
export {
  PROVING_LEASES,
  holdLease,
  isLeased,
  releaseLease,
  takeLease,
  type LeaseClaim,
} from './lease-rows.js';
export type { OperationQuery } from './list-operations.js';
export type {
  PreviousOrderQuery,
  ReceivedQuery,
  StoredMoneyOrder,
  FoundMoneyOrder,
} from './money-order-rows.js';
export type { OpaquePlace, PublicPlace, Registration } from './opaque-rows.js';
export {
  UNKNOWN_SIGNATURE,
  signingAccountId,
  type AcceptedOperation,
  type OperationOutcome,
  type OperationStatus,
  type SignedOperation,
  type StoredOperation,
} from './operation-rows.js';
export type { BatchQueue, QueuedBatch, QueuedState } from './queue-rows.js';
export type { RollupIdentity } from './rollup-identity.js';
export { RollupStoreError } from './rollup-store-error.js';
export { openRollupStore, type RollupStore } from './rollup-store.js';
export type { SequenceHead } from './sequence-head.js';
export type { BatchItem, DepositRow, SequenceStep } from './sequence-step.js';
export type { NewSubmission, SubmissionRow, SubmissionState } from './submission-rows.js';
export type { TreeName, TreePosition, TreeWrite } from './tree-rows.js';
