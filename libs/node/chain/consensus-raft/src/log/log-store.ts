/** Part of the key space: one key, or all from `key` up to but without `rangeEnd`. Keys are ASCII. */
export interface KeyRange {
  readonly key: string;
  readonly rangeEnd?: string | undefined;
}

export interface RangeRequest extends KeyRange {
  /** Entries at most; all when absent. */
  readonly limit?: number | undefined;
  /** Without values. */
  readonly keysOnly?: boolean | undefined;
}

/** A key with its value. */
export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  /** 0 without one. */
  readonly lease: bigint;
}

export interface RangeAnswer {
  /** Ascending by key. */
  readonly entries: readonly Entry[];
  /** Keys in the range, also beyond the limit. */
  readonly count: number;
  /** Revision of the whole store, when this was read. */
  readonly revision: bigint;
}

/** Condition of a transaction; a missing key has the create revision 0. */
export type Comparison =
  | { readonly key: string; readonly target: 'value'; readonly value: Uint8Array }
  | { readonly key: string; readonly target: 'create' | 'mod'; readonly revision: bigint };

export type Operation =
  | {
      readonly kind: 'put';
      readonly key: string;
      readonly value: Uint8Array;
      readonly lease?: bigint | undefined;
    }
  | ({ readonly kind: 'delete' } & KeyRange);

/** All operations at one revision, or none. A key may be changed once. */
export interface Transaction {
  readonly compare: readonly Comparison[];
  readonly success: readonly Operation[];
}

export interface KeyEvent {
  readonly kind: 'put' | 'delete';
  /** For a deleted key, only key and modRevision are set. */
  readonly entry: Entry;
}

export interface WatchOptions {
  readonly prefix: string;
  /** The first revision of the watch. */
  readonly fromRevision: bigint;
  /** A key that every relevant change writes too, with which a watch that is behind is detected. */
  readonly probeKey: string;
  /** Called with all events of a revision, in order, none twice. When it fails, the watch ends. */
  readonly onEvents: (events: readonly KeyEvent[]) => Promise<void>;
  /** Why the watch is interrupted; undefined once it continues. */
  readonly onTrouble: (trouble: string | undefined) => void;
}

/**
 * A watch that goes on until it is closed, or until its revisions are gone: compacted, or lost by an etcd that was
 * restored from a snapshot. Its user then reads the current entries and watches again.
 */
export interface Watch {
  /** Resolves when the watch has ended; rejects when `onEvents` failed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * The log's port to etcd.
 * @throws EtcdError
 */
export interface LogStore {
  /** Reads the current entries, linearizably. */
  range(request: RangeRequest): Promise<RangeAnswer>;
  /**
   * Fails with `unknown-outcome` when the change may be made, now or later.
   * @returns whether the comparisons held
   */
  transact(transaction: Transaction): Promise<{ readonly succeeded: boolean }>;
  /**
   * Grants a lease, whose keys are deleted when it is not kept alive that long.
   * @returns its id
   */
  grantLease(seconds: number): Promise<bigint>;
  /** @returns whether the lease is still there */
  keepAlive(lease: bigint): Promise<boolean>;
  revokeLease(lease: bigint): Promise<void>;
  /** Compacts the history before the revision. */
  compact(revision: bigint): Promise<void>;
  watch(options: WatchOptions): Watch;
}

/** The end of the range of all keys with the prefix. */
export function prefixEnd(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
