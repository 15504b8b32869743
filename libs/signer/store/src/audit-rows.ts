/** A decision as it is written down; texts as they are hashed. */
export interface AuditRecord {
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  readonly caller: string;
  readonly key: string;
  readonly method: string;
  /** What was or would have been signed. */
  readonly digest?: Uint8Array | undefined;
  /** JSON of the decoded transaction. */
  readonly transaction?: string | undefined;
  readonly decision: string;
  readonly reason: string;
}

/** The newest entry, or what the first one follows: sequence 0 and 32 zero bytes. */
export interface AuditHead {
  readonly sequence: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** What the database says of the end of the log, seen at one moment. */
export interface AuditEnd {
  readonly head: AuditHead;
  /** Undefined when there is no entry. */
  readonly newest: AuditHead | undefined;
}

export interface ChainedAuditRecord extends AuditRecord {
  /** From 1, without a gap. */
  readonly sequence: number;
  readonly previousHash: Uint8Array;
  readonly hash: Uint8Array;
}

/** The log is not usable without its head, which the migration made. */
export function missingHead(): Error {
  return new Error('the audit log has no head: the row of audit_head is gone');
}
