/** Connections to the Ethereum client at a time: the follower and the submitter, and those who look on. */
export const CONNECTIONS = 4;

/** A page of logs of full batches: 1,000 operations in a batch are 700 kB of text. */
export const ANSWER_BYTES = 64 * 2 ** 20;

/** Blocks asked for in one page at first and at most; a client that refuses gets smaller ones. */
export const PAGE_BLOCKS = 1_000;

/** Logs of one page; more than the clients of others answer with (10,000 is what most refuse). */
export const PAGE_LOGS = 20_000;
