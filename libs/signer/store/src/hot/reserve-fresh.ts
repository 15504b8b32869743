import { COMMIT_LATER, qualified } from '@tetrad/db/client';
import type pg from 'pg';
import { nonceEntry, nonceSequence } from '../generated/tables.js';
import type { ReserveRequest } from '../nonce-rows.js';

const sequence = nonceSequence.columns;
const entry = nonceEntry.columns;
const { nextNonce } = qualified(nonceSequence).columns;

/** Without ON CONFLICT, which looks every row up and writes a speculative tuple before it inserts. */
const RESERVE_FRESH = `
  WITH ${COMMIT_LATER('true')},
  moved AS (
    UPDATE ${nonceSequence.table} SET ${sequence.nextNonce} = ${nextNonce} + $2 FROM commit_later
     WHERE ${sequence.id} = $1
       AND NOT EXISTS (SELECT FROM ${nonceEntry.table}
                        WHERE ${entry.sequenceId} = $1 AND ${entry.isFree} AND ${entry.nonce} < ${nextNonce})
    RETURNING ${sequence.id} AS id, ${sequence.nextNonce} AS next),
  fresh AS (
    INSERT INTO ${nonceEntry.table} (${entry.sequenceId}, ${entry.nonce}, ${entry.state}, ${entry.owner})
    SELECT id, generate_series(next - $2, next - 1), 'reserved', $3 FROM moved)
  SELECT next - $2 AS first FROM moved`;

/**
 * Reserves nonces of one sequence that were never used, in one statement; none when returned ones have to be used
 * first, or when a caller has chosen one of them itself.
 *
 * This is the fast path of a busy account. A nonce that is returned at the same instant is left to the next reservation.
 */
export async function reserveFresh(
  pool: pg.Pool,
  { sequenceId, wanted }: ReserveRequest,
  replica: string,
): Promise<bigint[]> {
  const statement = { name: 'reserve-fresh', text: RESERVE_FRESH, values: [sequenceId, wanted, replica] };
  const { rows } = await pool.query<{ first: string }>(statement).catch((error: unknown) => {
    if (isUniqueViolation(error)) return { rows: [] };
    throw error;
  });
  const [row] = rows;
  if (row === undefined) return [];
  const first = BigInt(row.first);
  return Array.from({ length: wanted }, (_, index) => first + BigInt(index));
}

/** SQLSTATE unique_violation. */
function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
