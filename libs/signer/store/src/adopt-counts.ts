import type pg from 'pg';
import type { ReserveRequest } from './nonce-rows.js';

/** A statement of an open transaction. */
export type Query = <Row extends object = never>(statement: {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}) => Promise<Pick<pg.QueryResult<Row>, 'rows' | 'rowCount'>>;

/**
 * Lowest nonce that a lower count of the client may lead a sequence to: below it transactions of ours may be signed that
 * have no row. Those of private transactions are not put back, so that a mined nonce counts as such.
 */
export const FLOOR = `CASE WHEN nonce_sequence.privacy_group = '' THEN nonce_sequence.known_from ELSE nonce_sequence.mined_count END`;

/** Whether a sequence has nonces that the manager chose and that are not free. */
const BUSY = `EXISTS (SELECT FROM nonce_entry
                              WHERE nonce_entry.lane_id = nonce_sequence.id AND state <> 'free' AND NOT given OFFSET 0)`;

/**
 * Moves sequences to the next nonce of the client, so that nonces which were used elsewhere are not assigned.
 *
 * A lower count than ours usually means that the client has not yet seen our submissions. It is adopted only when
 * nothing of the sequence is in flight, and never below its floor (docs/adr/0024). A transaction that was mined and is
 * not any more gets its row back before, so that its nonce is not signed again.
 *
 * In: client — in a transaction that has locked the sequences
 */
export async function adoptCounts(
  client: pg.ClientBase,
  requests: readonly ReserveRequest[],
  replica: string,
): Promise<void> {
  const asked = requests.filter(({ clientCount }) => clientCount !== undefined);
  const values = [
    asked.map(({ sequenceId }) => sequenceId),
    asked.map(({ clientCount }) => String(clientCount)),
  ];
  await putBackSettled((statement) => client.query(statement), values, replica);
  await client.query({
    name: 'adopt-counts',
    text: `
      UPDATE nonce_sequence SET
        next_nonce = CASE WHEN count >= next_nonce THEN count
                          WHEN ${BUSY} THEN next_nonce
                          ELSE least(next_nonce, greatest(count, ${FLOOR})) END
       FROM unnest($1::bigint[], $2::numeric[]) AS asked (id, count)
      WHERE nonce_sequence.id = ANY($1) AND nonce_sequence.id = asked.id AND count <> next_nonce`,
    values,
  });
  await client.query({
    name: 'drop-used-nonces',
    text: `DELETE FROM nonce_entry USING nonce_sequence, unnest($1::bigint[], $2::numeric[]) AS asked (id, count)
            WHERE nonce_entry.lane_id = ANY($1) AND nonce_entry.lane_id = asked.id AND is_free
              AND nonce_sequence.id = ANY($1) AND nonce_sequence.id = asked.id
              AND (nonce < count OR nonce >= nonce_sequence.next_nonce)`,
    values,
  });
}

/**
 * Gives settled nonces that the client no longer counts their rows back, with the same bytes.
 *
 * In: values — ids of locked sequences, and the count of each
 */
export async function putBackSettled(
  query: Query,
  values: readonly unknown[],
  replica: string,
): Promise<void> {
  await query({
    name: 'put-back-settled',
    text: `
      WITH back AS (
        DELETE FROM settled_nonce USING nonce_sequence, unnest($1::bigint[], $2::numeric[]) AS asked (id, count)
         WHERE settled_nonce.lane_id = ANY($1) AND settled_nonce.lane_id = asked.id
           AND settled_nonce.nonce >= asked.count
           AND nonce_sequence.id = ANY($1) AND nonce_sequence.id = asked.id AND nonce_sequence.privacy_group = ''
        RETURNING settled_nonce.*)
      INSERT INTO nonce_entry (lane_id, nonce, state, given, lost, owner, raw, hash)
      SELECT lane_id, nonce, state, given, lost, $3, raw, hash FROM back
      ON CONFLICT (lane_id, nonce) DO UPDATE
         SET state = excluded.state, given = excluded.given, lost = excluded.lost, owner = excluded.owner,
             raw = excluded.raw, hash = excluded.hash, changed_at = now()
       WHERE nonce_entry.state = 'free'`,
    values: [...values, replica],
  });
}
