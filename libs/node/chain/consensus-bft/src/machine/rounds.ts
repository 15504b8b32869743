import { sendRoundChange } from './own-messages.js';
import { tryPropose } from './proposing.js';
import { startRoundTimer, type Transition } from './transition.js';
import { votesFrom } from './votes.js';

/** Rounds that are entered at once after others: those of a day and a half without a decision. */
const MAX_STEP = 2_048;

/**
 * The round's time is over: enters the next round if a quorum entered this one, otherwise repeats the round change.
 *
 * Time-outs have a cap, so a validator that advanced alone would stay the same number of rounds ahead of the others for
 * ever (docs/adr/0032).
 */
export function endRound(transition: Transition): void {
  const { round, lapses } = transition.state;
  transition.set({ lapses: lapses + 1 });
  if (followOthers(transition)) return;
  if (round === 0 || didQuorumCome(transition)) return changeRound(transition, round + 1);
  startRoundTimer(transition);
  announceRound(transition);
  // The first round change may not have been signed, so that this one completes the quorum.
  tryPropose(transition);
}

/** Enters a later round and broadcasts a round change, with the prepared certificate if this node has one. */
export function changeRound(transition: Transition, round: number): void {
  enterRound(transition, round);
  announceRound(transition);
  tryPropose(transition);
}

/** Enters a later round without a round change: a justified proposal of it was received. */
export function enterRound(transition: Transition, round: number): void {
  const { prepares, commits } = transition.state;
  transition.set({
    phase: 'awaiting',
    proposal: undefined,
    round,
    lateChanges: new Map(),
    prepares: votesFrom(prepares, round),
    commits: votesFrom(commits, round),
  });
  transition.emit({ type: 'stopTimer', timer: 'retry' });
  startRoundTimer(transition);
}

/** Whether a quorum that includes this node has announced the round or a later one. */
export function isQuorumHere({ height, state: { round, roundChanges } }: Transition): boolean {
  return [...roundChanges.values()].filter((one) => one.round >= round).length >= height.quorum;
}

/** A justified proposal proves it, and so does a message that this node signed because of one, even before a restart. */
function didQuorumCome(transition: Transition): boolean {
  const { proposal, record, round } = transition.state;
  if (proposal !== undefined || isQuorumHere(transition)) return true;
  const isSameView = record.height === transition.height.height && record.round === round;
  return isSameView && (record.proposal ?? record.prepare ?? record.commit) !== undefined;
}

/**
 * F+1 validators in later rounds cannot all be faulty: enters the lowest of those rounds, or one as far above as a step goes,
 * so that one faulty validator of two or three cannot use up all rounds of a height at once.
 * @returns whether it did
 */
export function followOthers(transition: Transition): boolean {
  const { roundChanges, round } = transition.state;
  const above = [...roundChanges.values()].map((one) => one.round).filter((one) => one > round);
  if (above.length < transition.height.notAllFaulty) return false;
  changeRound(transition, Math.min(...above, round + MAX_STEP));
  return true;
}

/** Sends the ROUND-CHANGE of the current round and counts it. */
export function announceRound(transition: Transition): void {
  const own = sendRoundChange(transition);
  if (own !== undefined)
    transition.set({ roundChanges: new Map(transition.state.roundChanges).set(own.sender, own) });
}
