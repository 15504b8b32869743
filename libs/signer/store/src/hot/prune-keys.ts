import type pg from 'pg';
import { idempotencyKey, nonceEntry } from '../generated/tables.js';

const { table, columns } = idempotencyKey;
/** OFFSET 0 is as in `claimSequences`. */
const PRUNE = `
  DELETE FROM ${table} WHERE ${columns.createdAt} < now() - make_interval(secs => $1::float8 / 1000)
     AND NOT EXISTS (SELECT FROM ${nonceEntry.table} WHERE ${nonceEntry.columns.idempotency} = ${columns.digest} OFFSET 0)`;

/**
 * Forgets keys that were first used longer ago and have no signed bytes.
 * @returns how many
 */
export async function pruneKeys(pool: pg.Pool, ttlMs: number): Promise<number> {
  return (await pool.query({ name: 'prune-idempotency-keys', text: PRUNE, values: [ttlMs] })).rowCount ?? 0;
}
