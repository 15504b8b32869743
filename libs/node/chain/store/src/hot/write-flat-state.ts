import { asBuffer, byteaArray, namesOf } from '@tetrad/db';
import { hashToBytes, type Hash } from '@tetrad/types';
import { flatState, flatStateHead } from '../generated/tables.js';
import type { StoredFlatEntry, FlatWrite } from '../flat-state-rows.js';
import type { Statements } from '../statements.js';

const { table, columns } = flatState;
const { id, stateRoot } = flatStateHead.columns;

const START = `
  INSERT INTO ${flatStateHead.table} (${namesOf(flatStateHead, ['id', 'stateRoot'])}) VALUES (1, $1)
      ON CONFLICT (${id}) DO UPDATE SET ${stateRoot} = excluded.${stateRoot}`;

const MOVE = `UPDATE ${flatStateHead.table} SET ${stateRoot} = $2 WHERE ${id} = 1 AND ${stateRoot} = $1`;

const CLEAR = `
  DELETE FROM ${table} USING unnest($1::bytea[], $2::bytea[]) AS range (first, above)
   WHERE ${columns.key} >= range.first AND ${columns.key} < range.above`;

const REMOVE = `DELETE FROM ${table} WHERE ${columns.key} = ANY($1::bytea[])`;

const PUT = `
  INSERT INTO ${table} (${namesOf(flatState, ['key', 'value'])}) SELECT * FROM unnest($1::bytea[], $2::bytea[])
      ON CONFLICT (${columns.key}) DO UPDATE SET ${columns.value} = excluded.${columns.value}`;

/** Longer than what follows any prefix: all keys that begin with it are below it and this. */
const ABOVE_ALL_KEYS = Buffer.alloc(33, 0xff);

/** Removes the root, so that the rows are of none, and then the rows. */
export async function removeFlatState(statements: Statements): Promise<void> {
  await statements.query(`DELETE FROM ${flatStateHead.table}`);
  await statements.query(`DELETE FROM ${table}`);
}

/** The rows are of the root from now on. */
export async function startFlatState(statements: Statements, root: Hash): Promise<void> {
  await statements.query(START, [asBuffer(hashToBytes(root))]);
}

/**
 * The changes from one state to the next; nothing when the rows are of another root than the first of the two: the next start
 * rebuilds them.
 */
export async function writeFlatChanges(statements: Statements, write: FlatWrite): Promise<void> {
  if (write.parentRoot === write.stateRoot || !(await moveFlatRoot(statements, write))) return;
  await writeFlatRows(statements, write);
}

/** The rows alone; their root is the caller's. */
export async function writeFlatRows(
  statements: Statements,
  { cleared, removed, put }: Pick<FlatWrite, 'cleared' | 'removed' | 'put'>,
): Promise<void> {
  if (cleared.length > 0) await clearFlatRows(statements, cleared);
  if (removed.length > 0) await removeFlatRows(statements, removed);
  await putFlatRows(statements, put);
}

/** Whether the rows were those of the parent; otherwise the root stays. */
async function moveFlatRoot(
  statements: Statements,
  { parentRoot, stateRoot: next }: FlatWrite,
): Promise<boolean> {
  const values = [asBuffer(hashToBytes(parentRoot)), asBuffer(hashToBytes(next))];
  return (await statements.query({ name: 'move-flat-state', text: MOVE, values })).rowCount === 1;
}

/** Removes all keys that begin with one of the prefixes. */
async function clearFlatRows(statements: Statements, prefixes: readonly Uint8Array[]): Promise<void> {
  const above = prefixes.map((prefix) => Buffer.concat([prefix, ABOVE_ALL_KEYS]));
  const values = [byteaArray(prefixes), byteaArray(above)];
  await statements.query({ name: 'clear-flat-state', text: CLEAR, values });
}

async function removeFlatRows(statements: Statements, keys: readonly Uint8Array[]): Promise<void> {
  await statements.query({ name: 'remove-flat-state', text: REMOVE, values: [byteaArray(keys)] });
}

export async function putFlatRows(statements: Statements, rows: readonly StoredFlatEntry[]): Promise<void> {
  if (rows.length === 0) return;
  const values = [byteaArray(rows.map(({ key }) => key)), byteaArray(rows.map(({ value }) => value))];
  await statements.query({ name: 'put-flat-state', text: PUT, values });
}
