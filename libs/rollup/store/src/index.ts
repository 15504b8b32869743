export type { Acceptance } from './accept-operations.js';
export type { AcceptanceBounds, AccountQuota, Refusal } from './acceptance-bounds.js';
export type { AccountDetails, StoredAccount, AccountVersion } from './account-rows.js';
export type { AdoptablePlace, AdoptedOperation } from './adoption-rows.js';
export type { BatchItem } from './batch-items.js';
export type { BatchChange, BatchRoots, StoredBatch, BatchState } from './batch-rows.js';
export type { ChainBlock, ChainEvents, FrozenRollup, OutboundRequest, Token } from './chain-events.js';
export type { CreditQuery, StoredCredit } from './credit-rows.js';
export type { Deposit } from './deposit-rows.js';
export type { BatchPlace, ExecutedOperation, ExecutionWrite, WrittenBatch } from './execution-rows.js';
export type { AccountCounts } from './hot/count-accounts.js';
export { holdLease, underLease } from './hot/hold-lease.js';
export { isLeased } from './hot/is-leased.js';
export { makingProverQueue, proverQueueStatements, type ProverQueueStatements } from './hot/prover-queue.js';
export { ROLLUP_DATABASE_SETTINGS } from './rollup-database-settings.js';
export { takeLease } from './hot/take-lease.js';
export { PROVING_LEASES, PROVING_SIZES, type LeaseClaim } from './lease-rows.js';
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
export type { AccountProgress, ProgressMarks, ProgressQuery } from './progress-rows.js';
export type { BatchQueue, QueuedBatch, QueuedState } from './queue-rows.js';
export type { ProvedHolding } from './proved-holdings.js';
export type {
  OpenRequest,
  RequestLoad,
  RequestMeasure,
  RequestPlace,
  StoredRequest,
  TokenProgress,
} from './requests.js';
export type { RollupIdentity } from './rollup-identity.js';
export { RollupStoreError } from './rollup-store-error.js';
export { openRollupStore, type RollupStore } from './rollup-store.js';
export type { SequenceHead } from './sequence-head.js';
export type { SequenceStep } from './sequence-step.js';
export type { NewSubmission, StoredSubmission, SubmissionState } from './submission-rows.js';
export type { TreeName, TreePosition, TreeWrite } from './tree-rows.js';
