export { BatchSubmitter, type SubmitterParts } from './batch-submitter.js';
export { Batcher, type BatcherParts, type BatcherTask } from './batcher.js';
export { readConsents } from './contract-consents.js';
export { ContractPages, ForeignBatchError } from './contract-pages.js';
export { ContractCreator, type CreatedContract } from './create-contracts.js';
export {
  OperatorAccount,
  submittingKeyOf,
  type SignedSubmission,
  type SubmittingKey,
  type UnsignedTransaction,
} from './operator-account.js';
export { BATCHER_LEASE, HEARTBEAT_MS, LEASE_MS, FAILURE_PAUSE_MS, POLL_MS, longestLead } from './params.js';
export { FreezeCallers, type CallerParts } from './freeze-callers.js';
export { Pruner } from './pruner.js';
export { DemandWatch, type Demands, type WatchParts } from './demand-watch.js';
export { rebuildRows, type RebuildParts, type RebuiltRows } from './rebuild-rows.js';
export { RunningBatcher, type RunningOptions } from './running-batcher.js';
export { shouldSeal, type OpenBatch } from './seal-rule.js';
export {
  nextStep,
  retryDelay,
  type Attempt,
  type SubmissionBounds,
  type SubmissionStep,
  type SubmissionView,
} from './submission-rule.js';
export { WorkLoop, type WorkLoopOptions } from './work-loop.js';
export { jobStep, type JobStep, type JobView } from './proving/job-rule.js';
export { provingLease, whileLeased } from './proving/heartbeat.js';
export { LivingProvers, announceProver, type LivingProversParts } from './proving/living-provers.js';
export { ProofJobs, type ProofJobsParts } from './proving/proof-jobs.js';
export { ProofQueue, jobId, type ProofJob } from './proving/proof-queue.js';
export { ProverWorker, type ProverParts } from './proving/prover-worker.js';
