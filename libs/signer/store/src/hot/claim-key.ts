import { asBuffer } from '@tetrad/db';
import { qualified } from '@tetrad/db/client';
import type pg from 'pg';
import { idempotencyKey, nonceEntry, replica } from '../generated/tables.js';

export interface IdempotencyClaim {
  /** SHA-256 of caller, account and key. */
  readonly digest: Uint8Array;
  /** SHA-256 of the request. */
  readonly request: Uint8Array;
}

const key = idempotencyKey.columns;
const ofKey = qualified(idempotencyKey).columns;
const alive = replica.columns;
const CLAIM = `
  INSERT INTO ${idempotencyKey.table} (${key.digest}, ${key.request}, ${key.owner}) VALUES ($1, $2, $3)
  ON CONFLICT (${key.digest}) DO UPDATE SET ${key.owner} = excluded.${key.owner}
   WHERE ${ofKey.answer} IS NULL AND ${ofKey.request} = excluded.${key.request}
     AND (${ofKey.owner} = $3
          OR ${ofKey.owner} NOT IN (SELECT ${alive.id} FROM ${replica.table} WHERE ${alive.aliveUntil} > now()))
     AND NOT EXISTS (SELECT FROM ${nonceEntry.table} WHERE ${nonceEntry.columns.idempotency} = $1)
  RETURNING xmax = 0 AS "isNew"`;

/**
 * Claims a key, as `IdempotencyStore.claim` says.
 * @returns undefined when another request holds or held it
 */
export async function claimKey(
  pool: pg.Pool,
  { digest, request }: IdempotencyClaim,
  owner: string,
): Promise<'claimed' | 'taken-over' | undefined> {
  const values = [asBuffer(digest), asBuffer(request), owner];
  const statement = { name: 'claim-idempotency-key', text: CLAIM, values };
  const [row] = (await pool.query<{ isNew: boolean }>(statement)).rows;
  if (row === undefined) return undefined;
  return row.isNew ? 'claimed' : 'taken-over';
}
