import type { RoundChangeMessage } from '../messages/consensus-message.js';
import { isRoundChangeSound } from './justification.js';
import { tryPropose } from './proposing.js';
import { startRoundTimer } from './round-timer.js';
import { changeRound, isQuorumHere } from './rounds.js';
import type { Turn } from './turn.js';

/** A ROUND-CHANGE of the height. */
export function onRoundChange(turn: Turn, message: RoundChangeMessage): void {
  if (turn.state.phase === 'committed') return;
  if (message.round < turn.state.round) return answerStraggler(turn, message);
  const earlier = turn.state.roundChanges.get(message.sender);
  if (earlier !== undefined && earlier.round >= message.round) {
    if (earlier.round === message.round) onRepeated(turn, earlier, message);
    return;
  }
  if (!isRoundChangeSound(turn.height, message)) {
    const { sender, height, round } = message;
    const text = 'invalid prepared block in round change messages';
    return turn.reportOnce({ what: 'invalidMessage', sender, height, round, text });
  }
  turn.emit({ type: 'relay', message });
  const { round } = turn.state;
  const wasQuorumHere = isQuorumHere(turn);
  turn.set({ roundChanges: new Map(turn.state.roundChanges).set(message.sender, message) });
  followOthers(turn);
  // All start the time of a round at about the same moment: when a quorum has come to it.
  const hasCome = turn.state.round === round && !wasQuorumHere && isQuorumHere(turn);
  if (hasCome && turn.state.phase === 'awaiting') startRoundTimer(turn);
  tryPropose(turn);
}

/** F+1 validators in rounds above cannot all be faulty: goes to the lowest of those rounds. */
function followOthers(turn: Turn): void {
  const { roundChanges, round } = turn.state;
  const above = [...roundChanges.values()].map((one) => one.round).filter((one) => one > round);
  if (above.length >= turn.height.notAllFaulty) changeRound(turn, Math.min(...above));
}

/** Somebody is in an earlier round: tells it where this node is, in case that was lost; others there may need it. */
function answerStraggler(turn: Turn, message: RoundChangeMessage): void {
  turn.emit({ type: 'relay', message });
  const own = turn.state.roundChanges.get(turn.identity.address);
  if (own?.round === turn.state.round) turn.emit({ type: 'send', to: message.sender, message: own });
}

/** Who waits for a quorum says where it is again and again, to reach those that were cut off. */
function onRepeated(turn: Turn, earlier: RoundChangeMessage, message: RoundChangeMessage): void {
  const isSame =
    earlier.prepared?.round === message.prepared?.round &&
    earlier.prepared?.digest === message.prepared?.digest;
  if (isSame) return turn.emit({ type: 'relay', message: earlier });
  const { sender, height, round } = message;
  const text = 'two round changes to one round';
  turn.reportOnce({ what: 'equivocation', sender, height, round, text });
}
