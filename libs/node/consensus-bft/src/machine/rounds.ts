import { sendRoundChange } from './own-messages.js';
import { tryPropose } from './proposing.js';
import type { Turn } from './turn.js';
import { votesFrom } from './votes.js';

/** Goes to a later round and tells everybody, with the certificate if there is one. */
export function changeRound(turn: Turn, round: number): void {
  enterRound(turn, round);
  announceRound(turn);
  tryPropose(turn);
}

/** Goes to a later round without saying so: a justified proposal is already there. */
export function enterRound(turn: Turn, round: number): void {
  const { prepares, commits } = turn.state;
  turn.set({
    phase: 'awaiting',
    proposal: undefined,
    round,
    prepares: votesFrom(prepares, round),
    commits: votesFrom(commits, round),
  });
  turn.emit(
    { type: 'stopTimer', timer: 'retry' },
    { type: 'startTimer', timer: 'round', delayMs: turn.height.timeoutMs(round), ...turn.view },
  );
}

/** Sends the ROUND-CHANGE of the current round and counts it. */
export function announceRound(turn: Turn): void {
  const own = sendRoundChange(turn);
  if (own !== undefined) turn.set({ roundChanges: new Map(turn.state.roundChanges).set(own.sender, own) });
}
