import { asBuffer, type Database } from '@tetrad/db';
import { hashToBytes } from '@tetrad/types';
import type pg from 'pg';
import {
  areNamed,
  byName,
  inLockOrder,
  type MoveKind,
  type NonceMove,
  type NonceRowName,
  type NonceState,
} from './nonce-rows.js';
import { COMMIT_LATER } from './reserve-nonces.js';

/**
 * Makes changes of state of one kind, with the answers that come with them, in one transaction.
 *
 * Out: for each, whether the row was the replica's and in a state that leads there
 */
export function moveNonces(
  database: Database,
  moves: readonly NonceMove[],
  made: { readonly kind: MoveKind; readonly replica: string },
): Promise<boolean[]> {
  if (moves.every(({ answer }) => answer === undefined)) return moveRows(database.pool, moves, made);
  return database.transaction(async (client) => {
    const moved = await moveRows(client, moves, made);
    await writeAnswers(client, moves, { moved, kind: made.kind });
    return moved;
  });
}

async function moveRows(
  client: pg.Pool | pg.ClientBase,
  moves: readonly NonceMove[],
  { kind: { from, to }, replica }: { readonly kind: MoveKind; readonly replica: string },
): Promise<boolean[]> {
  const ordered = inLockOrder(moves);
  // An acceptance that is lost is found out again: the same bytes are submitted once more, and the client knows them.
  const mayBeLost = to === 'accepted' && moves.every(({ answer }) => answer === undefined);
  const { rows } = await client.query<NonceRowName>({
    name: `move-nonces-${to}`,
    text: MOVES[to],
    values: [
      ordered.map(({ sequenceId }) => sequenceId),
      ordered.map(({ nonce }) => nonce.toString()),
      ordered.map(({ hash }) => (hash === undefined ? null : asBuffer(hashToBytes(hash)))),
      from,
      replica,
      mayBeLost,
    ],
  });
  return areNamed(moves, rows);
}

const moved = (join: 'FROM' | 'USING'): string => `
   ${join} commit_later, unnest($1::bigint[], $2::numeric[], $3::bytea[]) AS moved (lane_id, nonce, hash)
  WHERE ${byName('moved')}
    AND (nonce_entry.hash IS NULL OR nonce_entry.hash = moved.hash)
    AND state = ANY($4::nonce_state[]) AND owner = $5
 RETURNING nonce_entry.lane_id, nonce_entry.nonce`;

const moveTo = (state: NonceState, otherwise = ''): string =>
  `WITH ${COMMIT_LATER('$6')}
   UPDATE nonce_entry SET state = '${state}', changed_at = now()${otherwise} ${moved('FROM')}`;

const MOVES: Readonly<Record<MoveKind['to'], string>> = {
  accepted: moveTo('accepted'),
  doubtful: moveTo('doubtful'),
  free: moveTo('free', ', given = false, raw = NULL, hash = NULL, idempotency = NULL'),
  gone: `WITH ${COMMIT_LATER('$6')} DELETE FROM nonce_entry ${moved('USING')}`,
};

/**
 * An accepted send is answered by any replica that records it. Other outcomes are written only by the replica that
 * made the change, since another one may be submitting the same bytes.
 */
async function writeAnswers(
  client: pg.ClientBase,
  moves: readonly NonceMove[],
  { moved, kind }: { readonly moved: readonly boolean[]; readonly kind: MoveKind },
): Promise<void> {
  const answers = moves.flatMap(({ answer }, index) =>
    answer !== undefined && (moved[index] === true || kind.to === 'accepted') ? [answer] : [],
  );
  if (answers.length === 0) return;
  await client.query({
    name: 'answer-idempotency-keys',
    text: `UPDATE idempotency_key SET answer = answers.json
             FROM unnest($1::bytea[], $2::text[]) AS answers (digest, json)
            WHERE idempotency_key.digest = ANY($1) AND idempotency_key.digest = answers.digest
              AND answer IS NULL AND json IS NOT NULL`,
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
