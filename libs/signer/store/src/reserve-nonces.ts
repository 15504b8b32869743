import type pg from 'pg';
import { adoptCounts } from './adopt-counts.js';
import type { NonceRowName, ReserveRequest } from './nonce-rows.js';

/**
 * Part of a statement that has its own commit not wait for the disk, when the condition holds. The setting is the
 * transaction's, and a statement by itself is one.
 */
export const COMMIT_LATER = (condition: string): string =>
  `commit_later AS MATERIALIZED (
     SELECT CASE WHEN ${condition} THEN set_config('synchronous_commit', 'off', true) END)`;

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

/** Without ON CONFLICT, which looks every row up and writes a speculative tuple before it inserts. */
const RESERVE_FRESH = `
  WITH ${COMMIT_LATER('true')},
  moved AS (
    UPDATE nonce_sequence SET next_nonce = next_nonce + $2 FROM commit_later
     WHERE id = $1
       AND NOT EXISTS (SELECT FROM nonce_entry WHERE lane_id = $1 AND is_free AND nonce < nonce_sequence.next_nonce)
    RETURNING id, next_nonce),
  fresh AS (
    INSERT INTO nonce_entry (lane_id, nonce, state, owner)
    SELECT id, generate_series(next_nonce - $2, next_nonce - 1), 'reserved', $3 FROM moved)
  SELECT next_nonce - $2 AS first FROM moved`;

/** SQLSTATE unique_violation. */
function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/**
 * Reserves nonces, the lowest first: returned ones before those that were never used.
 *
 * Runs in the transaction of the caller and first locks the sequences in ascending order: replicas wait for each other
 * here, for the length of one short transaction, and every statement sees the result of the previous one.
 * Out: nonces of each request in ascending order; fewer than wanted when callers chose some of them themselves
 */
export async function reserveNonces(
  client: pg.ClientBase,
  requests: readonly ReserveRequest[],
  replica: string,
): Promise<bigint[][]> {
  const sequenceIds = requests.map(({ sequenceId }) => sequenceId);
  // Losing a reservation to a crash of the database is harmless: nothing is submitted before its bytes are stored,
  // and that commit is a durable one that comes later.
  await client.query('SET LOCAL synchronous_commit = off');
  await client.query({
    name: 'lock-sequences',
    text: 'SELECT FROM nonce_sequence WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
    values: [sequenceIds],
  });
  if (requests.some(({ clientCount }) => clientCount !== undefined)) {
    await adoptCounts(client, requests, replica);
  }
  const { rows } = await client.query<NonceRowName>({
    name: 'reserve-nonces',
    text: RESERVE,
    values: [sequenceIds, requests.map(({ wanted }) => wanted), replica],
  });
  const bySequence = new Map<number, bigint[]>(sequenceIds.map((id) => [id, []]));
  for (const row of rows) bySequence.get(row.lane_id)?.push(BigInt(row.nonce));
  return requests.map(({ sequenceId }) =>
    (bySequence.get(sequenceId) ?? []).sort((a, b) => (a < b ? -1 : 1)),
  );
}

/**
 * Checks again under the lock that a row is free: a caller may have chosen the nonce itself meanwhile. Free nonces above
 * the next one are those of a sequence that was led back, whose turn has not come.
 */
const RESERVE = `
  WITH asked AS (SELECT * FROM unnest($1::bigint[], $2::int[]) AS asked (lane_id, wanted)),
  returned AS (
    UPDATE nonce_entry SET state = 'reserved', owner = $3, changed_at = now()
      FROM asked JOIN nonce_sequence ON nonce_sequence.id = ANY($1) AND nonce_sequence.id = asked.lane_id CROSS JOIN LATERAL (
             SELECT nonce FROM nonce_entry
              WHERE is_free AND nonce_entry.lane_id = asked.lane_id AND nonce < nonce_sequence.next_nonce
              ORDER BY nonce LIMIT asked.wanted) lowest
     WHERE nonce_entry.lane_id = ANY($1) AND is_free
       AND nonce_entry.lane_id = asked.lane_id AND nonce_entry.nonce = lowest.nonce
     RETURNING nonce_entry.lane_id, nonce_entry.nonce),
  missing AS (
    SELECT asked.lane_id, asked.wanted - count(returned.nonce) AS count
      FROM asked LEFT JOIN returned USING (lane_id) GROUP BY asked.lane_id, asked.wanted),
  moved AS (
    UPDATE nonce_sequence SET next_nonce = next_nonce + missing.count FROM missing
     WHERE nonce_sequence.id = ANY($1) AND nonce_sequence.id = missing.lane_id AND missing.count > 0
     RETURNING nonce_sequence.id, nonce_sequence.next_nonce, missing.count),
  fresh AS (
    INSERT INTO nonce_entry (lane_id, nonce, state, owner)
    SELECT id, generate_series(next_nonce - count, next_nonce - 1), 'reserved', $3 FROM moved
    ON CONFLICT (lane_id, nonce) DO NOTHING
    RETURNING lane_id, nonce)
  SELECT * FROM returned UNION ALL SELECT * FROM fresh`;
