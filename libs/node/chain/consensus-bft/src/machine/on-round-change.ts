import type { RoundChangeMessage } from '../messages/consensus-message.js';
import { isRoundChangeSound } from './justification.js';
import { tryPropose } from './proposing.js';
import { startRoundTimer, type Transition } from './transition.js';
import { followOthers, isQuorumHere } from './rounds.js';

/** A ROUND-CHANGE of the height. */
export function onRoundChange(transition: Transition, message: RoundChangeMessage): void {
  if (transition.state.phase === 'committed') return;
  if (message.round < transition.state.round) return answerStraggler(transition, message);
  const earlier = transition.state.roundChanges.get(message.sender);
  if (earlier !== undefined && earlier.round >= message.round) {
    if (earlier.round === message.round) onRepeated(transition, earlier, message);
    else if (message.round === transition.state.round) keepLate(transition, message);
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

/** Answers a validator in an earlier round with the round change of this node, in case that was lost. */
function answerStraggler(transition: Transition, message: RoundChangeMessage): void {
  const own = transition.state.roundChanges.get(transition.identity.address);
  if (own?.round === transition.state.round)
    transition.emit({ type: 'send', to: message.sender, message: own });
}

/** It counts in its round all the same: the newer one may be from another process with the key, or was faster. */
function keepLate(transition: Transition, message: RoundChangeMessage): void {
  const { lateChanges } = transition.state;
  if (lateChanges.has(message.sender) || !isRoundChangeSound(transition.height, message)) return;
  transition.set({ lateChanges: new Map(lateChanges).set(message.sender, message) });
  tryPropose(transition);
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
