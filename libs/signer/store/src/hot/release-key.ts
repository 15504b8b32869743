import { asBuffer } from '@tetrad/db';
import type pg from 'pg';
import { idempotencyKey, nonceEntry } from '../generated/tables.js';

const { table, columns } = idempotencyKey;
const RELEASE = `
  DELETE FROM ${table}
   WHERE ${columns.digest} = $1 AND ${columns.owner} = $2 AND xmin::text = $3 AND ${columns.answer} IS NULL
     AND NOT EXISTS (SELECT FROM ${nonceEntry.table} WHERE ${nonceEntry.columns.idempotency} = $1)`;

/**
 * Gives up a claim that has no answer and no signed bytes. A later claim stays: the statement may arrive after the
 * connection that it was sent on was given up.
 * @param claim.version - as `claimKey` gave it
 */
export async function releaseKey(
  pool: pg.Pool,
  {
    digest,
    owner,
    version,
  }: { readonly digest: Uint8Array; readonly owner: string; readonly version: string },
): Promise<void> {
  const values = [asBuffer(digest), owner, version];
  await pool.query({ name: 'release-idempotency-key', text: RELEASE, values });
}
