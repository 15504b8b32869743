import { asBuffer, asBufferOrNull } from '@tetrad/db';
import { qualified } from '@tetrad/db/client';
import { hashToBytes } from '@tetrad/types';
import type pg from 'pg';
import { idempotencyKey, nonceEntry } from '../generated/tables.js';
import {
  ROW_NAME,
  areFirstNamed,
  byName,
  firstOfEach,
  inLockOrder,
  type NonceRowName,
} from '../named-nonces.js';
import type { NewlySigned, StoredSigned } from '../nonce-rows.js';

const { table, columns } = nonceEntry;
const key = qualified(idempotencyKey).columns;

const store = (condition: string): string => `
  UPDATE ${table}
     SET ${columns.state} = 'signed', ${columns.raw} = signed.raw, ${columns.hash} = signed.hash,
         ${columns.idempotency} = signed.idempotency, ${columns.changedAt} = now()
    FROM unnest($1::bigint[], $2::numeric[], $3::bytea[], $4::bytea[], $5::bytea[])
           AS signed (sequence_id, nonce, raw, hash, idempotency)
   WHERE ${byName('signed')} AND ${columns.state} = 'reserved' AND ${columns.owner} = $6${condition}
  RETURNING ${ROW_NAME}`;

const STORE = store('');

/**
 * Bytes with idempotency keys are stored only while their claims are held: a replica that was taken for dead may go on.
 * A take-over that comes later waits for the lock, and the statement waits for one that has begun. The request that had the
 * key before may have stored bytes while this claim waited for its lock; they were committed before the claim, so that they
 * are seen here.
 */
const STORE_CLAIMED = `
  WITH held AS MATERIALIZED (
    SELECT ${key.digest} AS digest
      FROM unnest($5::bytea[], $7::text[]) AS claims (digest, version) JOIN ${idempotencyKey.table}
           ON ${key.digest} = ANY($5) AND ${key.digest} = claims.digest
     WHERE ${key.owner} = $6 AND ${idempotencyKey.table}.xmin::text = claims.version AND ${key.answer} IS NULL
       AND NOT EXISTS (SELECT FROM ${table} WHERE ${columns.idempotency} = claims.digest OFFSET 0)
       FOR SHARE OF ${idempotencyKey.table}),
  stored AS (${store(' AND (signed.idempotency IS NULL OR signed.idempotency IN (SELECT digest FROM held))')})
  SELECT stored.*, NULL AS held FROM stored UNION ALL SELECT NULL, NULL, digest FROM held`;

/** A row that was stored, or the digest of a claim that is held. */
type StoredOrHeld =
  (NonceRowName & { readonly held?: null }) | { readonly sequenceId: null; readonly held: Buffer };

/**
 * Stores the bytes of reserved nonces; of several for one nonce, only the first.
 * @returns what became of each
 */
export async function storeSigned(
  pool: pg.Pool,
  group: readonly NewlySigned[],
  replica: string,
): Promise<StoredSigned[]> {
  // The statement would take any of several rows for one nonce, and say of the nonce alone that it was stored.
  const ordered = inLockOrder(firstOfEach(group));
  const values = valuesOf(ordered, replica);
  const versions = ordered.map(({ claim }) => claim?.version ?? null);
  // Sends without a key, which most are, pay nothing for those with one.
  const statement = ordered.some(({ claim }) => claim !== undefined)
    ? { name: 'store-signed-claimed', text: STORE_CLAIMED, values: [...values, versions] }
    : { name: 'store-signed', text: STORE, values };
  const { rows } = await pool.query<StoredOrHeld>(statement);
  return outcomesOf(group, rows);
}

function valuesOf(group: readonly NewlySigned[], replica: string): unknown[] {
  return [
    group.map(({ sequenceId }) => sequenceId),
    group.map(({ nonce }) => nonce.toString()),
    group.map(({ raw }) => asBuffer(raw)),
    group.map(({ hash }) => asBuffer(hashToBytes(hash))),
    group.map(({ claim }) => asBufferOrNull(claim?.digest)),
    replica,
  ];
}

function outcomesOf(group: readonly NewlySigned[], rows: readonly StoredOrHeld[]): StoredSigned[] {
  const stored = areFirstNamed(
    group,
    rows.flatMap((row) => (row.sequenceId === null ? [] : [row])),
  );
  const held = new Set(rows.flatMap((row) => (row.sequenceId === null ? [row.held.toString('hex')] : [])));
  return group.map(({ claim }, index) => {
    if (stored[index] === true) return 'stored';
    const isHeld = claim === undefined || held.has(asBuffer(claim.digest).toString('hex'));
    return isHeld ? 'reservation-lost' : 'claim-lost';
  });
}
