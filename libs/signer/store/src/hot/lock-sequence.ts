import type pg from 'pg';
import { nonceSequence } from '../generated/tables.js';

const { table, columns } = nonceSequence;
const LOCK = `SELECT FROM ${table} WHERE ${columns.id} = $1 FOR UPDATE`;
const LOCK_ALL = `SELECT FROM ${table} WHERE ${columns.id} = ANY($1::bigint[]) ORDER BY ${columns.id} FOR UPDATE`;

/** Locks a sequence until the transaction ends. */
export async function lockSequence(client: pg.ClientBase, sequenceId: number): Promise<void> {
  await client.query({ name: 'lock-sequence', text: LOCK, values: [sequenceId] });
}

/** Locks sequences in ascending order until the transaction ends. */
export async function lockSequences(client: pg.ClientBase, sequenceIds: readonly number[]): Promise<void> {
  await client.query({ name: 'lock-sequences', text: LOCK_ALL, values: [sequenceIds] });
}
