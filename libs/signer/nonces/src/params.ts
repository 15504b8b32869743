/** Submissions of one send before it is given up. Source: docs/spec/signing-proxy.md#nonces. */
export const MAX_SUBMISSIONS = 11;

/** Reserved and unanswered sends of one nonce sequence at a time; keeps one account from using every connection. */
export const WINDOW = 64;

/** Waiting sends of one nonce sequence; further ones are refused. */
export const MAX_WAITING = 10_000;

/** Nonce sequences that one replica maintains in one pass, and how many of them concurrently. */
export const SEQUENCES_PER_PASS = 200;
export const SEQUENCES_AT_A_TIME = 4;

/** Entries of a nonce sequence that one pass examines. */
export const ENTRIES_PER_PASS = 64;

/** Highest next nonce: 2^64-2 is the highest nonce that a transaction may have. Source: EIP-2681 */
export const MAX_COUNT = 2n ** 64n - 2n;

/** Transactions of other senders by which a client's count may be ahead at once, to be believed after asking twice. */
export const MAX_BELIEVED_JUMP = 16n;

/** Pause until sends that are held back have the client asked again. */
export const HELD_PAUSE_MS = 500;

/** Times of the nonce manager's driver, in milliseconds. */
export interface NonceManagerTiming {
  /** An idle nonce sequence queries the client's count again after this long. */
  readonly countFreshMs: number;
  /** How long a send waits for lower nonces when the client refuses to queue. */
  readonly gapPatienceMs: number;
  /** Interval of maintenance passes. */
  readonly passMs: number;
  /** After this long without an answer, a rejection of the same bytes means that they were never taken. */
  readonly quietMs: number;
  /** Accepted bytes that the client no longer counts are submitted again after this long. */
  readonly announceMs: number;
  /** A gap that no send has taken is filled after this long. */
  readonly fillGapMs: number;
  /** A client's count that is far ahead of ours is believed when it stays ahead this long. */
  readonly jumpPatienceMs: number;
  /** Idempotency keys are remembered this long. */
  readonly idempotencyTtlMs: number;
  /** A duplicate waits this long for the answer of the first. */
  readonly duplicateWaitMs: number;
}

export const DEFAULT_NONCE_MANAGER_TIMING: NonceManagerTiming = {
  countFreshMs: 500,
  gapPatienceMs: 5_000,
  passMs: 1_000,
  quietMs: 10_000,
  announceMs: 10_000,
  fillGapMs: 5_000,
  jumpPatienceMs: 10_000,
  idempotencyTtlMs: 86_400_000,
  duplicateWaitMs: 10_000,
};
