import { LookupGroup, type Database } from '@tetrad/db';
import { hashFromBytes, type Hash } from '@tetrad/types';
import { putRows, startHead, type FlatRow } from './flat-state-rows.js';
import type { InstanceLock } from './instance-lock.js';

interface FoundRow {
  readonly root: Buffer;
  readonly key: Buffer;
  readonly value: Buffer | null;
}

const MAX_STATEMENTS = 4;
const ROWS_OF_STATEMENT = 2_000;

/** The newest state by key, as execution reads it. */
export interface FlatRows {
  /** null: the root has no value under the key; undefined: the rows are of another root, or of none. */
  find(root: Hash, key: Uint8Array): Promise<Uint8Array | null | undefined>;
  /** The root of the rows; undefined while they are of none. */
  findRoot(): Promise<Hash | undefined>;
  /** Rebuilds the rows for the root. */
  rebuild(root: Hash, entries: AsyncIterable<FlatRow>): Promise<void>;
}

/**
 * The newest state as rows by key.
 *
 * `flat_state_head` is the root of the rows. It changes in the transaction of the block, and every look-up reads it in
 * the same statement: rows of another root, such as those of a block that was just stored, are never returned for the
 * requested root.
 */
export class FlatStateStore implements FlatRows {
  private readonly rows: LookupGroup<FoundRow>;

  constructor(
    private readonly database: Database,
    private readonly lock: InstanceLock,
  ) {
    this.rows = new LookupGroup({
      statements: MAX_STATEMENTS,
      start: queueMicrotask,
      read: (keys) => readRows(database, keys),
      keyOf: ({ key }) => key,
    });
  }

  async find(root: Hash, key: Uint8Array): Promise<Uint8Array | null | undefined> {
    const row = await this.rows.find(key);
    return row === undefined || hashFromBytes(row.root) !== root ? undefined : row.value;
  }

  async findRoot(): Promise<Hash | undefined> {
    const { rows } = await this.database.pool.query<{ root: Buffer }>(
      'SELECT state_root AS root FROM flat_state_head WHERE id = 1',
    );
    return rows[0] === undefined ? undefined : hashFromBytes(rows[0].root);
  }

  /**
   * Rebuilds the rows for the root. Until that is complete, they are of no root, also after a crash.
   *
   * Must not run while blocks are stored. One connection is enough: the entries may be read from the same database.
   */
  async rebuild(root: Hash, entries: AsyncIterable<FlatRow>): Promise<void> {
    await this.lock.hold();
    const { pool } = this.database;
    await pool.query('DELETE FROM flat_state_head');
    await pool.query('DELETE FROM flat_state');
    let batch: FlatRow[] = [];
    for await (const entry of entries) {
      batch.push(entry);
      if (batch.length < ROWS_OF_STATEMENT) continue;
      await putRows(pool, batch);
      batch = [];
    }
    await putRows(pool, batch);
    await startHead(pool, root);
  }
}

async function readRows(database: Database, keys: readonly Buffer[]): Promise<readonly FoundRow[]> {
  const { rows } = await database.pool.query<FoundRow>({
    name: 'find-flat-state',
    text: `SELECT head.state_root AS root, asked.key, flat.value
             FROM flat_state_head head CROSS JOIN unnest($1::bytea[]) AS asked (key)
                  LEFT JOIN flat_state flat ON flat.key = asked.key
            WHERE head.id = 1`,
    values: [keys],
  });
  return rows;
}
