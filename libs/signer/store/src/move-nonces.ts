import { asBuffer, type Database } from '@tetrad/db';
import { hashToBytes } from '@tetrad/types';
import type pg from 'pg';
import type { NonceMove } from './nonce-rows.js';
import { COMMIT_LATER } from './reserve-nonces.js';

/**
 * Makes changes of state with the answers that come with them, in one transaction.
 *
 * Out: for each, whether the row was the replica's and in a state that leads there
 */
export function moveNonces(
  database: Database,
  moves: readonly NonceMove[],
  replica: string,
): Promise<boolean[]> {
  if (moves.every(({ answer }) => answer === undefined)) return moveRows(database.pool, moves, replica);
  return database.transaction(async (client) => {
    const moved = await moveRows(client, moves, replica);
    await writeAnswers(client, moves, moved);
    return moved;
  });
}

async function moveRows(
  client: pg.Pool | pg.ClientBase,
  moves: readonly NonceMove[],
  replica: string,
): Promise<boolean[]> {
  // An acceptance that is lost is found out again: the same bytes are submitted once more, and the client knows them.
  const mayBeLost = moves.every(({ to, answer }) => to === 'accepted' && answer === undefined);
  const { rows } = await client.query<{ lane_id: number; nonce: string }>({
    name: 'move-nonces',
    text: MOVE,
    values: [
      moves.map(({ laneId }) => laneId),
      moves.map(({ nonce }) => nonce.toString()),
      moves.map(({ from }) => from.join(',')),
      moves.map(({ to }) => to),
      moves.map(({ hash }) => (hash === undefined ? null : asBuffer(hashToBytes(hash)))),
      replica,
      mayBeLost,
    ],
  });
  const moved = new Set(rows.map((row) => `${row.lane_id}:${row.nonce}`));
  return moves.map(({ laneId, nonce }) => moved.has(`${laneId}:${nonce}`));
}

const MOVE = `
  WITH ${COMMIT_LATER('$7')},
  moves AS (
    SELECT * FROM unnest($1::bigint[], $2::numeric[], $3::text[], $4::text[], $5::bytea[])
               AS moves (lane_id, nonce, sources, target, moved_hash)),
  locked AS (
    SELECT moves.lane_id, moves.nonce, moves.target FROM nonce_entry JOIN moves USING (lane_id, nonce) CROSS JOIN commit_later
     WHERE owner = $6 AND state::text = ANY(string_to_array(sources, ','))
       AND (hash IS NULL OR hash = moved_hash)
     ORDER BY lane_id, nonce FOR UPDATE OF nonce_entry),
  gone AS (
    DELETE FROM nonce_entry USING locked
     WHERE locked.target = 'gone' AND nonce_entry.lane_id = locked.lane_id AND nonce_entry.nonce = locked.nonce
    RETURNING nonce_entry.lane_id, nonce_entry.nonce),
  changed AS (
    UPDATE nonce_entry
       SET state = locked.target::nonce_state, changed_at = now(),
           given = given AND locked.target <> 'free',
           raw = CASE WHEN locked.target <> 'free' THEN raw END,
           hash = CASE WHEN locked.target <> 'free' THEN hash END,
           idempotency = CASE WHEN locked.target <> 'free' THEN idempotency END
      FROM locked
     WHERE locked.target <> 'gone' AND nonce_entry.lane_id = locked.lane_id AND nonce_entry.nonce = locked.nonce
    RETURNING nonce_entry.lane_id, nonce_entry.nonce)
  SELECT * FROM gone UNION ALL SELECT * FROM changed`;

/**
 * An accepted send is answered whoever recorded it first; what happened otherwise is only said by the one that made
 * the change, since somebody else may be at work on the same bytes.
 */
async function writeAnswers(
  client: pg.ClientBase,
  moves: readonly NonceMove[],
  moved: readonly boolean[],
): Promise<void> {
  const answers = moves.flatMap(({ to, answer }, index) =>
    answer !== undefined && (moved[index] === true || to === 'accepted') ? [answer] : [],
  );
  if (answers.length === 0) return;
  await client.query({
    name: 'answer-idempotency-keys',
    text: `UPDATE idempotency_key SET answer = answers.json
             FROM unnest($1::bytea[], $2::text[]) AS answers (digest, json)
            WHERE idempotency_key.digest = answers.digest AND answer IS NULL AND json IS NOT NULL`,
    values: [answers.map(({ idempotency }) => asBuffer(idempotency)), answers.map(({ json }) => json)],
  });
  const givenUp = answers.filter(({ json }) => json === null);
  if (givenUp.length === 0) return;
  await client.query({
    name: 'give-up-idempotency-keys',
    text: 'DELETE FROM idempotency_key WHERE digest = ANY($1::bytea[]) AND answer IS NULL',
    values: [givenUp.map(({ idempotency }) => asBuffer(idempotency))],
  });
}
