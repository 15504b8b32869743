import { LookupGroup, type Database } from '@tetrad/db';
import { hashFromBytes, type Hash } from '@tetrad/types';
import type { StoredFlatEntry } from './flat-state-rows.js';
import { findFlatState, type FoundFlat } from './hot/find-flat-state.js';
import { findFlatRoot } from './hot/read-at-start.js';
import { putFlatRows, removeFlatState, startFlatState } from './hot/write-flat-state.js';
import type { InstanceLock } from './instance-lock.js';

const MAX_STATEMENTS = 4;
const ROWS_OF_STATEMENT = 2_000;

/** The newest state by key, as execution reads it. */
export interface FlatRows {
  /** null: the root has no value under the key; undefined: the rows are of another root, or of none. */
  find(root: Hash, key: Uint8Array): Promise<Uint8Array | null | undefined>;
  /** The root of the rows; undefined while they are of none. */
  findRoot(): Promise<Hash | undefined>;
  /** Rebuilds the rows for the root. */
  rebuild(root: Hash, entries: AsyncIterable<StoredFlatEntry>): Promise<void>;
}

/**
 * The newest state as rows by key.
 *
 * `flat_state_head` is the root of the rows. It changes in the transaction of the block, and every look-up reads it in
 * the same statement: rows of another root, such as those of a block that was just stored, are never returned for the
 * requested root.
 */
export class FlatStateStore implements FlatRows {
  private readonly rows: LookupGroup<FoundFlat>;

  constructor(
    private readonly database: Database,
    private readonly lock: InstanceLock,
  ) {
    this.rows = new LookupGroup({
      statements: MAX_STATEMENTS,
      start: queueMicrotask,
      read: (keys) => findFlatState(database, keys),
      keyOf: ({ key }) => key,
    });
  }

  async find(root: Hash, key: Uint8Array): Promise<Uint8Array | null | undefined> {
    const row = await this.rows.find(key);
    return row === undefined || hashFromBytes(row.root) !== root ? undefined : row.value;
  }

  findRoot(): Promise<Hash | undefined> {
    return findFlatRoot(this.database.pool);
  }

  /**
   * Rebuilds the rows for the root. Until that is complete, they are of no root, also after a crash.
   *
   * Must not run while blocks are stored. One connection is enough: the entries may be read from the same database.
   */
  async rebuild(root: Hash, entries: AsyncIterable<StoredFlatEntry>): Promise<void> {
    await this.lock.hold();
    const { pool } = this.database;
    await removeFlatState(pool);
    let put: StoredFlatEntry[] = [];
    for await (const entry of entries) {
      put.push(entry);
      if (put.length < ROWS_OF_STATEMENT) continue;
      await putFlatRows(pool, put);
      put = [];
    }
    await putFlatRows(pool, put);
    await startFlatState(pool, root);
  }
}
