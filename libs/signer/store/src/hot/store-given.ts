import { qualified } from '@tetrad/db/client';
import type pg from 'pg';
import { nonceEntry } from '../generated/tables.js';
import type { SignedNonce } from '../nonce-rows.js';
import { SIGNED_COLUMNS, signedValues } from '../signed-values.js';

const { table, columns } = nonceEntry;
const STORE = `
  INSERT INTO ${table} (${SIGNED_COLUMNS}, ${columns.state}, ${columns.given})
  VALUES ($1, $2, $3, $4, $5, $6, 'signed', true)
  ON CONFLICT (${columns.sequenceId}, ${columns.nonce}) DO UPDATE
     SET ${columns.state} = 'signed', ${columns.given} = true, ${columns.owner} = excluded.${columns.owner},
         ${columns.raw} = excluded.${columns.raw}, ${columns.hash} = excluded.${columns.hash},
         ${columns.idempotency} = excluded.${columns.idempotency}, ${columns.changedAt} = now()
   WHERE ${qualified(nonceEntry).columns.state} = 'free'
  RETURNING xmax <> 0 AS returned`;

/**
 * Stores the bytes for a nonce that a caller named.
 * @returns as `NonceStore.storeGiven`
 */
export async function storeGiven(
  pool: pg.Pool,
  signed: SignedNonce,
  replica: string,
): Promise<'new' | 'returned' | 'taken'> {
  const values = signedValues(signed, replica);
  const { rows } = await pool.query<{ returned: boolean }>({ name: 'store-given', text: STORE, values });
  if (rows[0] === undefined) return 'taken';
  return rows[0].returned ? 'returned' : 'new';
}
