import type pg from 'pg';
import { nonceEntry } from '../generated/tables.js';
import type { SignedNonce } from '../nonce-rows.js';
import { SIGNED_COLUMNS, signedValues } from '../signed-values.js';

const { table, columns } = nonceEntry;
const REPLACE = `
  INSERT INTO ${table} (${SIGNED_COLUMNS}, ${columns.state}, ${columns.given})
  VALUES ($1, $2, $3, $4, $5, $6, 'accepted', true)
  ON CONFLICT (${columns.sequenceId}, ${columns.nonce}) DO UPDATE
     SET ${columns.state} = 'accepted', ${columns.owner} = excluded.${columns.owner},
         ${columns.raw} = excluded.${columns.raw}, ${columns.hash} = excluded.${columns.hash},
         ${columns.idempotency} = excluded.${columns.idempotency}, ${columns.changedAt} = now()`;

/** Points a row at the transaction that replaced the previous one on the client. */
export async function replaceSigned(pool: pg.Pool, signed: SignedNonce, replica: string): Promise<void> {
  await pool.query({ name: 'replace-signed', text: REPLACE, values: signedValues(signed, replica) });
}
