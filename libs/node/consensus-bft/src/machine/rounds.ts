import { sendRoundChange } from './own-messages.js';
import { tryPropose } from './proposing.js';
import { startRoundTimer } from './round-timer.js';
import type { Turn } from './turn.js';
import { votesFrom } from './votes.js';

/**
 * The round's time is over: goes to the next one if a quorum came to this one, else says once more where this node is.
 *
 * Time-outs have a cap, so whoever went on alone would stay ahead of the others by the same rounds for ever
 * (docs/adr/0056).
 */
export function endRound(turn: Turn): void {
  const { round, lapses } = turn.state;
  turn.set({ lapses: lapses + 1 });
  if (round === 0 || didQuorumCome(turn)) return changeRound(turn, round + 1);
  startRoundTimer(turn);
  announceRound(turn);
}

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
  turn.emit({ type: 'stopTimer', timer: 'retry' });
  startRoundTimer(turn);
}

/** Whether a quorum, this node among it, has announced the round or a later one. */
export function isQuorumHere({ height, state: { round, roundChanges } }: Turn): boolean {
  return [...roundChanges.values()].filter((one) => one.round >= round).length >= height.quorum;
}

/** A justified proposal proves it, and so does what this node has signed on the ground of one, maybe before a restart. */
function didQuorumCome(turn: Turn): boolean {
  const { proposal, record, round } = turn.state;
  if (proposal !== undefined || isQuorumHere(turn)) return true;
  const isSameView = record.height === turn.height.height && record.round === round;
  return isSameView && (record.proposal ?? record.prepare ?? record.commit) !== undefined;
}

/** Sends the ROUND-CHANGE of the current round and counts it. */
export function announceRound(turn: Turn): void {
  const own = sendRoundChange(turn);
  if (own !== undefined) turn.set({ roundChanges: new Map(turn.state.roundChanges).set(own.sender, own) });
}
