import { asBuffer, byteaArray } from '@tetrad/db';
import { hashToBytes, type Hash } from '@tetrad/types';
import type pg from 'pg';

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

/** Longer than what follows any prefix: all keys that begin with it are below it and this. */
const ABOVE_ALL_KEYS = Buffer.alloc(33, 0xff);

/** A connection, or any of the pool's. */
type Queryable = Pick<pg.ClientBase, 'query'>;

/** The rows of the first state. */
export async function startFlatState(client: pg.ClientBase, write: FlatWrite): Promise<void> {
  await startHead(client, write.stateRoot);
  await writeRows(client, write);
}

/** The changes from one state to the next; nothing when the rows are of another root than the first of the two. */
export async function writeFlatChanges(client: pg.ClientBase, write: FlatWrite): Promise<void> {
  if (write.parentRoot === write.stateRoot || !(await moveHead(client, write))) return;
  await writeRows(client, write);
}

export async function startHead(client: Queryable, root: Hash): Promise<void> {
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
      values: [
        byteaArray(cleared),
        byteaArray(cleared.map((prefix) => Buffer.concat([prefix, ABOVE_ALL_KEYS]))),
      ],
    });
  }
  if (removed.length > 0) {
    await client.query({
      name: 'remove-flat-state',
      text: 'DELETE FROM flat_state WHERE key = ANY($1::bytea[])',
      values: [byteaArray(removed)],
    });
  }
  await putRows(client, put);
}

export async function putRows(client: Queryable, rows: readonly FlatRow[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query({
    name: 'put-flat-state',
    text: `INSERT INTO flat_state (key, value) SELECT * FROM unnest($1::bytea[], $2::bytea[])
           ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    values: [byteaArray(rows.map(({ key }) => key)), byteaArray(rows.map(({ value }) => value))],
  });
}
