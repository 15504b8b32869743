import type { Hash } from '@tetrad/types';

/** A key of the flat state and its value; the execution library defines both encodings. */
export interface StoredFlatEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Changes of a block to the flat state, in this order. */
export interface FlatWrite {
  readonly parentRoot: Hash;
  readonly stateRoot: Hash;
  /** Prefixes of removed keys. */
  readonly cleared: readonly Uint8Array[];
  /** Removed keys. */
  readonly removed: readonly Uint8Array[];
  readonly put: readonly StoredFlatEntry[];
}
