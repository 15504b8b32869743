import { asBuffer } from '@tetrad/db';
import { COMMIT_LATER, qualified } from '@tetrad/db/client';
import { hashToBytes } from '@tetrad/types';
import { nonceEntry } from '../generated/tables.js';
import { ROW_NAME, areNamed, byName, inLockOrder, type NonceRowName } from '../named-nonces.js';
import type { MoveKind, NonceMove, NonceState } from '../nonce-rows.js';
import type { Statements } from '../statements.js';

const { table, columns } = nonceEntry;
const { hash } = qualified(nonceEntry).columns;

const moved = (join: 'FROM' | 'USING'): string => `
   ${join} commit_later, unnest($1::bigint[], $2::numeric[], $3::bytea[]) AS moved (sequence_id, nonce, hash)
  WHERE ${byName('moved')}
    AND (${hash} IS NULL OR ${hash} = moved.hash)
    AND ${columns.state} = ANY($4::nonce_state[]) AND ${columns.owner} = $5
 RETURNING ${ROW_NAME}`;

const moveTo = (state: NonceState, otherwise = ''): string =>
  `WITH ${COMMIT_LATER('$6')}
   UPDATE ${table} SET ${columns.state} = '${state}', ${columns.changedAt} = now()${otherwise} ${moved('FROM')}`;

const FORGET = [columns.raw, columns.hash, columns.idempotency]
  .map((column) => `, ${column} = NULL`)
  .join('');

const MOVES: Readonly<Record<MoveKind['to'], string>> = {
  accepted: moveTo('accepted'),
  doubtful: moveTo('doubtful'),
  free: moveTo('free', `, ${columns.given} = false${FORGET}`),
  gone: `WITH ${COMMIT_LATER('$6')} DELETE FROM ${table} ${moved('USING')}`,
};

/**
 * Makes changes of state of one kind.
 * @returns for each, whether the row was the replica's and in a state that leads there
 */
export async function moveRows(
  to: Statements,
  moves: readonly NonceMove[],
  { kind, replica }: { readonly kind: MoveKind; readonly replica: string },
): Promise<boolean[]> {
  const ordered = inLockOrder(moves);
  // An acceptance that is lost is found out again: the same bytes are submitted once more, and the client knows them.
  const mayBeLost = kind.to === 'accepted' && moves.every(({ answer }) => answer === undefined);
  const { rows } = await to.query<NonceRowName>({
    name: `move-nonces-${kind.to}`,
    text: MOVES[kind.to],
    values: [
      ordered.map(({ sequenceId }) => sequenceId),
      ordered.map(({ nonce }) => nonce.toString()),
      ordered.map((move) => (move.hash === undefined ? null : asBuffer(hashToBytes(move.hash)))),
      kind.from,
      replica,
      mayBeLost,
    ],
  });
  return areNamed(moves, rows);
}
