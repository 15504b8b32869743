import type { Database } from '@tetrad/db';
import { answerKeys } from './hot/answer-keys.js';
import { moveRows } from './hot/move-nonces.js';
import type { MoveKind, NonceMove } from './nonce-rows.js';

/**
 * Makes changes of state of one kind, with the answers that come with them, in one transaction.
 *
 * An accepted send is answered by any replica that records it. Other outcomes are written only by the replica that
 * made the change, since another one may be submitting the same bytes.
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
    const answers = moves.flatMap(({ answer }, index) =>
      answer !== undefined && (moved[index] === true || made.kind.to === 'accepted') ? [answer] : [],
    );
    await answerKeys(client, answers);
    return moved;
  });
}
