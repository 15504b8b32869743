import type pg from 'pg';
import { nonceSequence } from '../generated/tables.js';

const LOCK = `SELECT FROM ${nonceSequence.table} WHERE ${nonceSequence.columns.id} = $1 FOR UPDATE`;

/** Locks a sequence until the transaction ends. */
export async function lockSequence(client: pg.ClientBase, sequenceId: number): Promise<void> {
  await client.query({ name: 'lock-sequence', text: LOCK, values: [sequenceId] });
}
