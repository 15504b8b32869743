import { LookupGroup, asBuffer, type Database } from '@tetrad/db';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import type pg from 'pg';
import type { InstanceLock } from './instance-lock.js';
import type { JoinedRows } from './joined-rows.js';

/** A key of the flat state and its value; the execution library defines both encodings. */
export interface FlatRow {
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
  readonly put: readonly FlatRow[];
}

interface FoundRow {
  readonly root: Buffer;
  readonly key: Buffer;
  readonly value: Buffer | null;
}

const MAX_STATEMENTS = 4;
const ROWS_OF_STATEMENT = 2_000;
/** Longer than what follows any prefix: all keys that begin with it are below it and this. */
const ABOVE_ALL_KEYS = Buffer.alloc(33, 0xff);

/**
 * The newest state as rows by key.
 *
 * `flat_state_head` is the root of the rows. It changes in the transaction of the block, and every look-up reads it in
 * the same statement: rows of another root, such as those of a block that was just stored, are never returned for the
 * requested root.
 */
export class FlatStateStore {
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

  /** null: the root has no value under the key; undefined: the rows are of another root, or of none. */
  async find(root: Hash, key: Uint8Array): Promise<Uint8Array | null | undefined> {
    const row = await this.rows.find(key);
    return row === undefined || hashFromBytes(row.root) !== root ? undefined : row.value;
  }

  /** The root of the rows; undefined while they are of none. */
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

/** A connection, or any of the pool's. */
type Queryable = Pick<pg.ClientBase, 'query'>;

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

/** The rows of a block; empty when it does not change the state. */
export function flatRows(write: FlatWrite): JoinedRows[] {
  const isSame = write.parentRoot === write.stateRoot;
  return [
    {
      async write(client, blockNumber) {
        if (blockNumber === 0) await startHead(client, write.stateRoot);
        else if (isSame || !(await moveHead(client, write))) return;
        await writeRows(client, write);
      },
    },
  ];
}

async function startHead(client: Queryable, root: Hash): Promise<void> {
  await client.query(
    `INSERT INTO flat_state_head (id, state_root) VALUES (1, $1)
     ON CONFLICT (id) DO UPDATE SET state_root = excluded.state_root`,
    [asBuffer(hashToBytes(root))],
  );
}

/** Whether the rows were those of the parent; otherwise they are left unchanged, and the next start rebuilds them. */
async function moveHead(client: pg.ClientBase, { parentRoot, stateRoot }: FlatWrite): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'move-flat-state',
    text: 'UPDATE flat_state_head SET state_root = $2 WHERE id = 1 AND state_root = $1',
    values: [asBuffer(hashToBytes(parentRoot)), asBuffer(hashToBytes(stateRoot))],
  });
  return rowCount === 1;
}

async function writeRows(client: pg.ClientBase, { cleared, removed, put }: FlatWrite): Promise<void> {
  if (cleared.length > 0) {
    await client.query({
      name: 'clear-flat-state',
      text: `DELETE FROM flat_state USING unnest($1::bytea[], $2::bytea[]) AS range (first, above)
              WHERE key >= range.first AND key < range.above`,
      values: [cleared.map(asBuffer), cleared.map((prefix) => Buffer.concat([prefix, ABOVE_ALL_KEYS]))],
    });
  }
  if (removed.length > 0) {
    await client.query({
      name: 'remove-flat-state',
      text: 'DELETE FROM flat_state WHERE key = ANY($1::bytea[])',
      values: [removed.map(asBuffer)],
    });
  }
  await putRows(client, put);
}

async function putRows(client: Queryable, rows: readonly FlatRow[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query({
    name: 'put-flat-state',
    text: `INSERT INTO flat_state (key, value) SELECT * FROM unnest($1::bytea[], $2::bytea[])
           ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    values: [rows.map(({ key }) => asBuffer(key)), rows.map(({ value }) => asBuffer(value))],
  });
}
