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

/** A claim as it was made. */
export interface HeldKey extends Pick<IdempotencyClaim, 'digest'> {
  /** The transaction that made it: a later claim of the key, of the same replica too, has another one. */
  readonly version: string;
}

/** A claim that was made. */
export interface ClaimedKey extends Pick<HeldKey, 'version'> {
  readonly status: 'claimed' | 'taken-over';
}

const key = idempotencyKey.columns;
const ofKey = qualified(idempotencyKey).columns;
const alive = replica.columns;
/**
 * Bytes that have the key are those of a send whose answer is still to come, whatever has become of the row of the key.
 * Bytes that are stored while the statement waits for the row are not seen here; `storeSigned` sees them, and stores none of
 * this claim.
 */
const CLAIM = `
  INSERT INTO ${idempotencyKey.table} (${key.digest}, ${key.request}, ${key.owner})
  SELECT $1::bytea, $2::bytea, $3::uuid
   WHERE NOT EXISTS (SELECT FROM ${nonceEntry.table} WHERE ${nonceEntry.columns.idempotency} = $1)
  ON CONFLICT (${key.digest}) DO UPDATE SET ${key.owner} = excluded.${key.owner}
   WHERE ${ofKey.answer} IS NULL AND ${ofKey.request} = excluded.${key.request}
     AND (${ofKey.owner} = $3
          OR ${ofKey.owner} NOT IN (SELECT ${alive.id} FROM ${replica.table} WHERE ${alive.aliveUntil} > now()))
  RETURNING xmax = 0 AS "isNew", xmin::text AS version`;

/**
 * Claims a key, as `IdempotencyStore.claim` says.
 * @returns undefined when another request holds or held it, or has signed bytes
 */
export async function claimKey(
  pool: pg.Pool,
  { digest, request }: IdempotencyClaim,
  owner: string,
): Promise<ClaimedKey | undefined> {
  const values = [asBuffer(digest), asBuffer(request), owner];
  const statement = { name: 'claim-idempotency-key', text: CLAIM, values };
  const [row] = (await pool.query<{ isNew: boolean; version: string }>(statement)).rows;
  if (row === undefined) return undefined;
  return { status: row.isNew ? 'claimed' : 'taken-over', version: row.version };
}
