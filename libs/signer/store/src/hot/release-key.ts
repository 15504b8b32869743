import { asBuffer } from '@tetrad/db';
import type pg from 'pg';
import { idempotencyKey, nonceEntry } from '../generated/tables.js';

const { table, columns } = idempotencyKey;
const RELEASE = `
  DELETE FROM ${table}
   WHERE ${columns.digest} = $1 AND ${columns.owner} = $2 AND ${columns.answer} IS NULL
     AND NOT EXISTS (SELECT FROM ${nonceEntry.table} WHERE ${nonceEntry.columns.idempotency} = $1)`;

/** Gives up a claim that has no answer and no signed bytes. */
export async function releaseKey(pool: pg.Pool, digest: Uint8Array, owner: string): Promise<void> {
  const values = [asBuffer(digest), owner];
  await pool.query({ name: 'release-idempotency-key', text: RELEASE, values });
}
