/** Lease of the one batcher that there is, and for how long it holds without a sign of life. */
export const BATCHER_LEASE = 'batcher';
export const LEASE_MS = 10_000;

/** A batcher that stops in the middle of sending keeps others from it for so long at most. */
export const SENDING_MS = 30_000;

/** Characters kept of a client's error message. */
export const FAILURE_CHARACTERS = 200;

/** Blocks of the chain that are remembered, to find where it forked. */
export const KNOWN_BLOCKS = 256;

/** How often it is looked whether a contract was created. */
export const RECEIPT_POLL_MS = 250;
