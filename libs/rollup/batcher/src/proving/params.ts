/** A prover that says nothing for so long is gone, and its batch goes to another. */
export const PROVER_LEASE_MS = 10_000;

/** How often a prover says that it lives. */
export const HEARTBEAT_MS = 2_000;

/** How often a prover without work looks for some. */
export const POLL_MS = 250;

/** Pause after a job that failed, so that one which always does is not tried in circles. */
export const FAILURE_PAUSE_MS = 2_000;

/** Batches that may wait for proofs at a time; more are enqueued as these get theirs. */
export const JOBS = 64;
