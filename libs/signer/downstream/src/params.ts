/** Connections to the Ethereum client at a time; as many as callers that wait for it at once usually need. */
export const CONNECTIONS = 64;

/** Bytes of an answer; larger ones would fill the memory of the proxy, which holds an answer until it is whole. */
export const MAX_ANSWER_BYTES = 256 * 2 ** 20;

/** Bytes of all answers together that are being received; an answer that would exceed them is given up. */
export const MAX_RECEIVED_BYTES = 2 * MAX_ANSWER_BYTES;

/** The first bytes of an answer, which are not counted there: those that matter for signing are small, and never given up. */
export const UNCOUNTED_BYTES = 64 * 1_024;

/** Nesting of an answer; traces nest deeper than requests may. */
export const MAX_ANSWER_DEPTH = 1_024;

/** Bounds of a batch of gathered calls. Besu takes 1,024 in one, our node 100; bodies of a megabyte pass everywhere. */
export const BATCH_CALLS = 50;
export const BATCH_CHARACTERS = 500_000;
