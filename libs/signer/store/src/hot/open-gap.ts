import type pg from 'pg';
import { nonceEntry } from '../generated/tables.js';
import type { NonceName } from '../nonce-rows.js';

const { table, columns } = nonceEntry;
const OPEN = `
  INSERT INTO ${table} (${columns.sequenceId}, ${columns.nonce}, ${columns.state}, ${columns.owner})
  SELECT $1, generate_series($2::numeric, $3::numeric - 1), 'free', $4
  ON CONFLICT (${columns.sequenceId}, ${columns.nonce}) DO NOTHING`;
const AGE = `
  SELECT extract(epoch FROM now() - ${columns.changedAt})::float8 * 1000 AS "ageMs" FROM ${table}
   WHERE ${columns.sequenceId} = $1 AND ${columns.nonce} = $2`;

/**
 * Frees the nonces from this one up to the end that have no row.
 * @returns since when the first one is free, in milliseconds
 */
export async function openGap(
  client: pg.ClientBase,
  { sequenceId, nonce, end, owner }: NonceName & { readonly end: bigint; readonly owner: string },
): Promise<number> {
  const values = [sequenceId, nonce.toString()];
  await client.query({ name: 'open-gap', text: OPEN, values: [...values, end.toString(), owner] });
  const { rows } = await client.query<{ ageMs: number }>({ name: 'age-of-gap', text: AGE, values });
  return rows[0]?.ageMs ?? 0;
}
