/** A payload as it is kept. */
export interface StoredPayload {
  /** 64 bytes. */
  readonly hash: Uint8Array;
  /** See `encodeBinaryPayload`. */
  readonly encoded: Uint8Array;
  /** 32 bytes each: the keys that the payload has boxes for, and its sender. */
  readonly recipients: readonly Uint8Array[];
  /** Whether it is not known yet that all recipients have it; `settle` says that they do. */
  readonly undelivered?: boolean;
}
