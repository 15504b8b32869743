import { sendRoundChange } from './own-messages.js';
import { tryPropose } from './proposing.js';
import { startRoundTimer, type Transition } from './transition.js';
import { votesFrom } from './votes.js';

/**
 * The round's time is over: goes to the next one if a quorum came to this one, else says once more where this node is.
 *
 * Time-outs have a cap, so whoever went on alone would stay ahead of the others by the same rounds for ever
 * (docs/adr/0056).
 */
export function endRound(transition: Transition): void {
  const { round, lapses } = transition.state;
  transition.set({ lapses: lapses + 1 });
  if (round === 0 || didQuorumCome(transition)) return changeRound(transition, round + 1);
  startRoundTimer(transition);
  announceRound(transition);
}

/** Goes to a later round and tells everybody, with the certificate if there is one. */
export function changeRound(transition: Transition, round: number): void {
  enterRound(transition, round);
  announceRound(transition);
  tryPropose(transition);
}

/** Goes to a later round without saying so: a justified proposal is already there. */
export function enterRound(transition: Transition, round: number): void {
  const { prepares, commits } = transition.state;
  transition.set({
    phase: 'awaiting',
    proposal: undefined,
    round,
    prepares: votesFrom(prepares, round),
    commits: votesFrom(commits, round),
  });
  transition.emit({ type: 'stopTimer', timer: 'retry' });
  startRoundTimer(transition);
}

/** Whether a quorum, this node among it, has announced the round or a later one. */
export function isQuorumHere({ height, state: { round, roundChanges } }: Transition): boolean {
  return [...roundChanges.values()].filter((one) => one.round >= round).length >= height.quorum;
}

/** A justified proposal proves it, and so does what this node has signed on the ground of one, maybe before a restart. */
function didQuorumCome(transition: Transition): boolean {
  const { proposal, record, round } = transition.state;
  if (proposal !== undefined || isQuorumHere(transition)) return true;
  const isSameView = record.height === transition.height.height && record.round === round;
  return isSameView && (record.proposal ?? record.prepare ?? record.commit) !== undefined;
}

/** Sends the ROUND-CHANGE of the current round and counts it. */
export function announceRound(transition: Transition): void {
  const own = sendRoundChange(transition);
  if (own !== undefined)
    transition.set({ roundChanges: new Map(transition.state.roundChanges).set(own.sender, own) });
}
