import { asBuffer, columnsOf, type SqlRow } from '@tetrad/db';
import { flatState, preimage, stateSyncPart } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = stateSyncPart;
const { fromKey, stateRoot } = columns;
const FIELDS = ['fromKey', 'stateRoot'] as const;

export type ReadStateSyncPart = SqlRow<typeof stateSyncPart, (typeof FIELDS)[number]>;

const LIST = `SELECT ${columnsOf(stateSyncPart, FIELDS)} FROM ${table} ORDER BY ${fromKey}`;

/** In key order. */
export async function listStateSyncParts(statements: Statements): Promise<readonly ReadStateSyncPart[]> {
  return (await statements.query<ReadStateSyncPart>(LIST)).rows;
}

const PUT = `
  INSERT INTO ${table} (${fromKey}, ${stateRoot}) VALUES ($1, $2)
      ON CONFLICT (${fromKey}) DO UPDATE SET ${stateRoot} = excluded.${stateRoot}`;

/** Accounts from the key on are of the root. */
export async function putStateSyncPart(
  statements: Statements,
  from: Uint8Array,
  root: Uint8Array,
): Promise<void> {
  await statements.query(PUT, [asBuffer(from), asBuffer(root)]);
}

const MERGE = `
  DELETE FROM ${table} AS part
   WHERE part.${stateRoot} = (SELECT before.${stateRoot} FROM ${table} AS before
                               WHERE before.${fromKey} < part.${fromKey} ORDER BY before.${fromKey} DESC LIMIT 1)`;

/** Joins neighbours of one root. */
export async function mergeStateSyncParts(statements: Statements): Promise<void> {
  await statements.query(MERGE);
}

export async function removeStateSyncParts(statements: Statements): Promise<void> {
  await statements.query(`DELETE FROM ${table}`);
}

const LONGEST = `decode(repeat('ff', 33), 'hex')`;
const CLEAR_FLAT = `
  DELETE FROM ${flatState.table} AS flat USING ${preimage.table} AS known
   WHERE known.${preimage.columns.hash} >= $1 AND length(known.${preimage.columns.value}) = 20
     AND flat.${flatState.columns.key} >= known.${preimage.columns.value}
     AND flat.${flatState.columns.key} < known.${preimage.columns.value} || ${LONGEST}`;

/** Removes the flat rows of all accounts from the hashed address on. */
export async function clearFlatFrom(statements: Statements, from: Uint8Array): Promise<void> {
  await statements.query(CLEAR_FLAT, [asBuffer(from)]);
}
