export { jobStep, type JobStep, type JobView } from './job-rule.js';
export { provingLease, whileLeased } from './heartbeat.js';
export { ProofJobs, type ProofJobsParts } from './proof-jobs.js';
export { ProofQueue, jobId, type ProofJob } from './proof-queue.js';
export { ProofMismatchError, ProverWorker, type ProverParts } from './prover-worker.js';
export { FAILURE_PAUSE_MS, LEASE_MS, POLL_MS } from './params.js';
