import type { Database } from '@tetrad/db';
import { answerKeys } from './hot/answer-keys.js';
import { lockSequences } from './hot/lock-sequence.js';
import { moveRows } from './hot/move-nonces.js';
import type { MoveKind, NonceMove } from './nonce-rows.js';

/**
 * Makes changes of state of one kind, with the answers that come with them, in one transaction.
 *
 * An accepted send is answered by any replica that records it. Other outcomes are written only by the replica that
 * made the change, since another one may be submitting the same bytes.
 *
 * A row goes under the lock of its sequence. A reservation, and the opening of a gap, first put the rows of settled nonces
 * back and then take a nonce without a row for one that was never signed: a row that went in between would be missed by
 * both steps, and its nonce signed again.
 *
 * @returns for each, whether the row was the replica's and in a state that leads there
 */
export function moveNonces(
  database: Database,
  moves: readonly NonceMove[],
  made: { readonly kind: MoveKind; readonly replica: string },
): Promise<boolean[]> {
  const isGoing = made.kind.to === 'gone';
  if (!isGoing && moves.every(({ answer }) => answer === undefined))
    return moveRows(database.pool, moves, made);
  return database.transaction(async (client) => {
    if (isGoing) await lockSequences(client, [...new Set(moves.map(({ sequenceId }) => sequenceId))]);
    const moved = await moveRows(client, moves, made);
    const answers = moves.flatMap(({ answer }, index) =>
      answer !== undefined && (moved[index] === true || made.kind.to === 'accepted') ? [answer] : [],
    );
    await answerKeys(client, answers);
    return moved;
  });
}
