/** How far the operations of an account are: nonces of the latest ones. Undefined while the account cannot be read. */
export interface AccountProgress {
  readonly accountId: number;
  /** In a batch. */
  readonly executedNonce: number | undefined;
  /** In a batch that has a proof, as all batches before it. */
  readonly provedNonce: number | undefined;
  /** In a batch that is final on the chain. */
  readonly finalNonce: number | undefined;
  /** Total index of the latest credit; undefined without one, and while the account cannot be read. The same for what is proved and final. */
  readonly executedCredit: number | undefined;
  readonly provedCredit: number | undefined;
  readonly finalCredit: number | undefined;
  /** Operations that are in no batch yet and not rejected; of the first 2,000 above the executed nonce. */
  readonly pendingOperations: number;
}

/** What tells that the progress of some account has changed: while these are the same, it has not. */
export interface ProgressMarks {
  /** Version of the head of the sequence. */
  readonly version: number;
  /** Sequence number of the operation that was accepted last. */
  readonly accepted: number;
  /** The highest batch that has a proof, as all before it; 0 without one. */
  readonly provenHeight: number;
  readonly finalHeight: number;
}

/** Whose progress is read. */
export interface ProgressQuery {
  /** Accounts that are of interest. */
  readonly watched: readonly number[];
  /** Those of which it is read in any case. */
  readonly certain: readonly number[];
  /** It is read too of those in batches above the final height of then, or with operations that were accepted since then. */
  readonly since: ProgressMarks;
  /** The present ones: what is proved and final. */
  readonly marks: ProgressMarks;
}
