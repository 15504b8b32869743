/** A prover that says nothing for so long is gone, and its batch goes to another. */
export const PROVER_LEASE_MS = 10_000;

/** A size of batches that no prover lives for is used for so long: provers are started again now and then. */
export const PROVERS_GONE_MS = 30_000;

/** How often a prover says that it lives. */
export const HEARTBEAT_MS = 2_000;

/** How often a prover without work looks for some. */
export const POLL_MS = 250;

/** Pause after a job that failed, so that one which always does is not tried in circles. */
export const FAILURE_PAUSE_MS = 2_000;

/** Batches that may wait for proofs at a time; more are enqueued as these get theirs. */
export const JOBS = 64;

/** Lease of the one batcher that there is, and for how long it holds without a sign of life. */
export const BATCHER_LEASE = 'batcher';
export const LEASE_MS = 10_000;

/** How often the holder of the lease counts what waits, for the metrics: each time it reads many rows. */
export const REPORT_MS = 5_000;

/** A batcher that stops in the middle of sending keeps others from it for so long at most. */
export const SENDING_MS = 30_000;

/** Characters kept of a client's error message. */
export const FAILURE_CHARACTERS = 200;

/** Blocks of the chain that are remembered, to find where it forked. */
export const KNOWN_BLOCKS = 256;

/** How often it is looked whether a contract was created. */
export const RECEIPT_POLL_MS = 250;

/** Requests that the contract is asked about in a step. */
export const MEASURED_REQUESTS = 64;

/** How often it is looked what others demand of the operator. */
export const WATCH_MS = 5_000;

/** Transactions behind that of the next batch that are sent before it is mined: fewer than any client takes of an account. */
export const MAX_AHEAD = 8;

/**
 * Batches that wait for a prover, or proven ones for the chain, at most: what is requested or accepted later comes behind them.
 */
export const MAX_WAITING = 16;

/**
 * Batches that come before what is requested now.
 *
 * @param provers - processes that prove, times the sizes that each of them proves at a time
 * @returns the most that are closed, proved, proven or submitted at a time, and the open one
 */
export const longestLead = (provers: number): number => 2 * MAX_WAITING + provers + 2;
