import { columnsOf, qualified, type SqlRow } from '@tetrad/db/client';
import { nonceEntry } from './generated/tables.js';
import type { NonceName } from './nonce-rows.js';

const entry = qualified(nonceEntry);

/** The name of a nonce's row, as a statement returns it. */
export type NonceRowName = SqlRow<typeof nonceEntry, 'sequenceId' | 'nonce'>;

/** What a statement selects or returns as `NonceRowName`. */
export const ROW_NAME = columnsOf(entry, ['sequenceId', 'nonce']);

/**
 * Joins rows given as arrays, sequence ids in $1 and nonces in $2, to those of the table: by the key, and by nested
 * loop, since other joins are off for the signer's connections. The arrays are repeated because a planner that assumes
 * an empty table would otherwise read all of it. Rows are found, and locked, in key order either way.
 *
 * @param rows - what the statement calls them; their columns are `sequence_id` and `nonce`
 */
export const byName = (rows: string): string =>
  `${entry.columns.sequenceId} = ANY($1) AND ${entry.columns.nonce} = ANY($2)
   AND ${entry.columns.sequenceId} = ${rows}.sequence_id AND ${entry.columns.nonce} = ${rows}.nonce`;

/** Nonces in lock order, which every statement over several rows follows. */
export function inLockOrder<Name extends NonceName>(names: readonly Name[]): Name[] {
  return [...names].sort((a, b) => a.sequenceId - b.sequenceId || (a.nonce < b.nonce ? -1 : 1));
}

/** The first of each name. */
export function firstOfEach<Name extends NonceName>(names: readonly Name[]): Name[] {
  return [...new Map(names.toReversed().map((name) => [textOf(name), name])).values()];
}

/** @returns for each name, whether the row is there */
export function areNamed(names: readonly NonceName[], rows: readonly NonceRowName[]): boolean[] {
  const there = new Set(rows.map(textOf));
  return names.map((name) => there.has(textOf(name)));
}

/** @returns for each name, whether the row is there and the name is the first one of the row */
export function areFirstNamed(names: readonly NonceName[], rows: readonly NonceRowName[]): boolean[] {
  const there = new Set(rows.map(textOf));
  return names.map((name) => there.delete(textOf(name)));
}

function textOf({ sequenceId, nonce }: NonceName | NonceRowName): string {
  return `${sequenceId}:${nonce}`;
}
