import { asBuffer, asBufferOrNull } from '@tetrad/db';
import { hashToBytes } from '@tetrad/types';
import type pg from 'pg';
import { nonceEntry } from '../generated/tables.js';
import {
  ROW_NAME,
  areFirstNamed,
  byName,
  firstOfEach,
  inLockOrder,
  type NonceRowName,
} from '../named-nonces.js';
import type { SignedNonce } from '../nonce-rows.js';

const { table, columns } = nonceEntry;
const STORE = `
  UPDATE ${table}
     SET ${columns.state} = 'signed', ${columns.raw} = signed.raw, ${columns.hash} = signed.hash,
         ${columns.idempotency} = signed.idempotency, ${columns.changedAt} = now()
    FROM unnest($1::bigint[], $2::numeric[], $3::bytea[], $4::bytea[], $5::bytea[])
           AS signed (sequence_id, nonce, raw, hash, idempotency)
   WHERE ${byName('signed')} AND ${columns.state} = 'reserved' AND ${columns.owner} = $6
  RETURNING ${ROW_NAME}`;

/**
 * Stores the bytes of reserved nonces; of several for one nonce, only the first.
 * @returns for each, whether the reservation was the replica's and these bytes are stored
 */
export async function storeSigned(
  pool: pg.Pool,
  group: readonly SignedNonce[],
  replica: string,
): Promise<boolean[]> {
  // The statement would take any of several rows for one nonce, and say of the nonce alone that it was stored.
  const ordered = inLockOrder(firstOfEach(group));
  const { rows } = await pool.query<NonceRowName>({
    name: 'store-signed',
    text: STORE,
    values: [
      ordered.map(({ sequenceId }) => sequenceId),
      ordered.map(({ nonce }) => nonce.toString()),
      ordered.map(({ raw }) => asBuffer(raw)),
      ordered.map(({ hash }) => asBuffer(hashToBytes(hash))),
      ordered.map(({ idempotency }) => asBufferOrNull(idempotency)),
      replica,
    ],
  });
  return areFirstNamed(group, rows);
}
