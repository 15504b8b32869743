import type pg from 'pg';
import type { NonceRowName, NonceTiming, ReserveRequest } from './nonce-rows.js';

export interface ReserveOptions {
  readonly replica: string;
  readonly timing: NonceTiming;
}

/**
 * Part of a statement that has its own commit not wait for the disk, when the condition holds. The setting is the
 * transaction's, and a statement by itself is one.
 */
export const COMMIT_LATER = (condition: string): string =>
  `commit_later AS MATERIALIZED (
     SELECT CASE WHEN ${condition} THEN set_config('synchronous_commit', 'off', true) END)`;

/**
 * Hands out nonces of one lane that were never used, in one statement; none when some came back and go first, or when
 * a caller has named one of them by itself.
 *
 * This is what a busy account needs. A nonce that comes back at the same instant is left to the next reservation.
 */
export async function reserveFresh(
  pool: pg.Pool,
  { laneId, wanted }: ReserveRequest,
  replica: string,
): Promise<bigint[]> {
  const statement = { name: 'reserve-fresh', text: RESERVE_FRESH, values: [laneId, wanted, replica] };
  const { rows } = await pool.query<{ first: string }>(statement).catch((error: unknown) => {
    if (isUniqueViolation(error)) return { rows: [] };
    throw error;
  });
  const [row] = rows;
  if (row === undefined) return [];
  const first = BigInt(row.first);
  return Array.from({ length: wanted }, (_, index) => first + BigInt(index));
}

/** Without ON CONFLICT, which would have every row looked up and written down before it is inserted. */
const RESERVE_FRESH = `
  WITH ${COMMIT_LATER('true')},
  moved AS (
    UPDATE lane SET next_nonce = next_nonce + $2 FROM commit_later
     WHERE id = $1 AND NOT EXISTS (SELECT FROM nonce_entry WHERE lane_id = $1 AND is_free)
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
 * Hands nonces out, the lowest first: those that came back before those that were never used.
 *
 * Runs in the transaction of the caller, which first takes the locks of the lanes in ascending order: replicas wait
 * for each other here, for the length of one short transaction, and every statement sees what the last one left.
 * Out: nonces of each request in ascending order; fewer than wanted when callers named some of them by themselves
 */
export async function reserveNonces(
  client: pg.ClientBase,
  requests: readonly ReserveRequest[],
  { replica, timing }: ReserveOptions,
): Promise<bigint[][]> {
  const lanes = requests.map(({ laneId }) => laneId);
  // Losing a reservation to a crash of the database is harmless: nothing is submitted before its bytes are stored,
  // and that commit is a durable one that comes later.
  await client.query('SET LOCAL synchronous_commit = off');
  await client.query({
    name: 'lock-lanes',
    text: 'SELECT FROM lane WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
    values: [lanes],
  });
  if (requests.some(({ clientCount }) => clientCount !== undefined)) {
    await adoptCounts(client, requests, timing);
  }
  const { rows } = await client.query<NonceRowName>({
    name: 'reserve-nonces',
    text: RESERVE,
    values: [lanes, requests.map(({ wanted }) => wanted), replica],
  });
  const byLane = new Map<number, bigint[]>(lanes.map((id) => [id, []]));
  for (const row of rows) byLane.get(row.lane_id)?.push(BigInt(row.nonce));
  return requests.map(({ laneId }) => (byLane.get(laneId) ?? []).sort((a, b) => (a < b ? -1 : 1)));
}

/** Whether a row is free is looked at again under its lock: a caller may have named the nonce by itself meanwhile. */
const RESERVE = `
  WITH asked AS (SELECT * FROM unnest($1::bigint[], $2::int[]) AS asked (lane_id, wanted)),
  returned AS (
    UPDATE nonce_entry SET state = 'reserved', owner = $3, changed_at = now()
      FROM asked CROSS JOIN LATERAL (
             SELECT nonce FROM nonce_entry WHERE is_free AND nonce_entry.lane_id = asked.lane_id
              ORDER BY nonce LIMIT asked.wanted) lowest
     WHERE nonce_entry.lane_id = ANY($1) AND is_free
       AND nonce_entry.lane_id = asked.lane_id AND nonce_entry.nonce = lowest.nonce
     RETURNING nonce_entry.lane_id, nonce_entry.nonce),
  missing AS (
    SELECT asked.lane_id, asked.wanted - count(returned.nonce) AS count
      FROM asked LEFT JOIN returned USING (lane_id) GROUP BY asked.lane_id, asked.wanted),
  moved AS (
    UPDATE lane SET next_nonce = next_nonce + missing.count FROM missing
     WHERE lane.id = ANY($1) AND lane.id = missing.lane_id AND missing.count > 0
     RETURNING lane.id, lane.next_nonce, missing.count),
  fresh AS (
    INSERT INTO nonce_entry (lane_id, nonce, state, owner)
    SELECT id, generate_series(next_nonce - count, next_nonce - 1), 'reserved', $3 FROM moved
    ON CONFLICT (lane_id, nonce) DO NOTHING
    RETURNING lane_id, nonce)
  SELECT * FROM returned UNION ALL SELECT * FROM fresh`;

/**
 * Moves lanes to what the client says is next, so that nonces which were used elsewhere are not handed out.
 *
 * A lower count than ours means as a rule that the client has not yet seen what we sent. It is followed only when
 * nothing of the lane is under way, and below what was seen mined only after a while (docs/adr/0024).
 */
async function adoptCounts(
  client: pg.ClientBase,
  requests: readonly ReserveRequest[],
  { resetGraceMs }: NonceTiming,
): Promise<void> {
  const asked = requests.filter(({ clientCount }) => clientCount !== undefined);
  const values = [asked.map(({ laneId }) => laneId), asked.map(({ clientCount }) => String(clientCount))];
  await client.query({
    name: 'adopt-counts',
    text: `
      UPDATE lane SET
        next_nonce = CASE WHEN busy OR count >= next_nonce THEN greatest(next_nonce, count)
                          WHEN mined_at < now() - make_interval(secs => $3::float8 / 1000) THEN count
                          ELSE greatest(count, mined_count) END,
        mined_count = CASE WHEN NOT busy AND mined_at < now() - make_interval(secs => $3::float8 / 1000)
                           THEN least(mined_count, count) ELSE mined_count END
       FROM (SELECT asked.*, EXISTS (SELECT FROM nonce_entry
                                      WHERE lane_id = asked.id AND state <> 'free' AND NOT given) AS busy
               FROM unnest($1::bigint[], $2::numeric[]) AS asked (id, count)) asked
      WHERE lane.id = ANY($1) AND lane.id = asked.id AND (count <> next_nonce OR count < mined_count)`,
    values: [...values, resetGraceMs],
  });
  await client.query({
    name: 'drop-used-nonces',
    text: `DELETE FROM nonce_entry USING lane, unnest($1::bigint[], $2::numeric[]) AS asked (id, count)
            WHERE nonce_entry.lane_id = ANY($1) AND nonce_entry.lane_id = asked.id AND is_free
              AND lane.id = ANY($1) AND lane.id = asked.id
              AND (nonce < count OR nonce >= lane.next_nonce)`,
    values,
  });
}
