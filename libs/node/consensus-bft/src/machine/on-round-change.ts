import type { RoundChangeMessage } from '../messages/consensus-message.js';
import { isRoundChangeSound } from './justification.js';
import { tryPropose } from './proposing.js';
import { startRoundTimer, type Transition } from './transition.js';
import { changeRound, isQuorumHere } from './rounds.js';

/** A ROUND-CHANGE of the height. */
export function onRoundChange(transition: Transition, message: RoundChangeMessage): void {
  if (transition.state.phase === 'committed') return;
  if (message.round < transition.state.round) return answerStraggler(transition, message);
  const earlier = transition.state.roundChanges.get(message.sender);
  if (earlier !== undefined && earlier.round >= message.round) {
    if (earlier.round === message.round) onRepeated(transition, earlier, message);
    return;
  }
  if (!isRoundChangeSound(transition.height, message)) {
    const { sender, height, round } = message;
    const text = 'invalid prepared block in round change messages';
    return transition.reportOnce({ what: 'invalidMessage', sender, height, round, text });
  }
  const { round } = transition.state;
  const wasQuorumHere = isQuorumHere(transition);
  transition.set({ roundChanges: new Map(transition.state.roundChanges).set(message.sender, message) });
  followOthers(transition);
  // All validators start the time of a round at about the same moment: when a quorum has entered it.
  const hasCome = transition.state.round === round && !wasQuorumHere && isQuorumHere(transition);
  if (hasCome && transition.state.phase === 'awaiting') startRoundTimer(transition);
  tryPropose(transition);
}

/** F+1 validators in later rounds cannot all be faulty: enters the lowest of those rounds. */
function followOthers(transition: Transition): void {
  const { roundChanges, round } = transition.state;
  const above = [...roundChanges.values()].map((one) => one.round).filter((one) => one > round);
  if (above.length >= transition.height.notAllFaulty) changeRound(transition, Math.min(...above));
}

/** Answers a validator in an earlier round with the round change of this node, in case that was lost. */
function answerStraggler(transition: Transition, message: RoundChangeMessage): void {
  const own = transition.state.roundChanges.get(transition.identity.address);
  if (own?.round === transition.state.round)
    transition.emit({ type: 'send', to: message.sender, message: own });
}

/** A validator that waits for a quorum repeats its round change, the same one. */
function onRepeated(transition: Transition, earlier: RoundChangeMessage, message: RoundChangeMessage): void {
  const isSame =
    earlier.prepared?.round === message.prepared?.round &&
    earlier.prepared?.digest === message.prepared?.digest;
  if (isSame) return;
  const { sender, height, round } = message;
  const text = 'two round changes to one round';
  transition.reportOnce({ what: 'equivocation', sender, height, round, text });
}
