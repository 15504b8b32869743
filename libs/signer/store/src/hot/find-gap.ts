import type pg from 'pg';
import { nonceEntry, nonceSequence } from '../generated/tables.js';
import { FLOOR } from '../nonce-floor.js';
import type { NonceName } from '../nonce-rows.js';

const entry = nonceEntry.columns;
const sequence = nonceSequence.columns;
const FIND = `
  SELECT (SELECT ${entry.nonce} FROM ${nonceEntry.table}
           WHERE ${entry.sequenceId} = $1 AND ${entry.nonce} > $2 AND NOT ${entry.given}
             AND ${entry.state} IN ('accepted', 'doubtful')
           ORDER BY ${entry.nonce} LIMIT 1) AS "end"
    FROM ${nonceSequence.table}
   WHERE ${sequence.id} = $1 AND $2 >= ${FLOOR} AND $2 < ${sequence.nextNonce}
     AND NOT EXISTS (SELECT FROM ${nonceEntry.table}
                      WHERE ${entry.sequenceId} = $1 AND ${entry.nonce} = $2 AND ${entry.state} <> 'free')`;

/**
 * @param client - has locked the sequence
 * @returns the nonce that ends the gap which begins with this one; undefined without a gap
 */
export async function findGapEnd(
  client: pg.ClientBase,
  { sequenceId, nonce }: NonceName,
): Promise<bigint | undefined> {
  const values = [sequenceId, nonce.toString()];
  const { rows } = await client.query<{ end: string | null }>({ name: 'find-gap', text: FIND, values });
  const end = rows[0]?.end ?? undefined;
  return end === undefined ? undefined : BigInt(end);
}
