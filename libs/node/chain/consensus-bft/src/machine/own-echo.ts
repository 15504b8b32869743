import type { ConsensusMessage } from '../messages/consensus-message.js';
import { changeRound } from './rounds.js';
import type { Transition } from './transition.js';
import { MAX_ROUNDS_AHEAD } from './votes.js';

/**
 * A received message carries this validator's own signature.
 *
 * Usually it is an echo. When it differs from the record, another node signs with the same key, or the record was lost
 * with a database: this node pauses, so that the two do not contradict each other. When the others have not decided after a
 * round's time, it goes on above the round of that message: the other process may have stopped, and where this
 * validator is needed, no block would ever come.
 */
export function onOwnMessage(transition: Transition, message: ConsensusMessage): void {
  if (isRecorded(transition, message)) return;
  const { height, round, kind } = message;
  const text = `a ${kind} with this validator's signature that this node did not send`;
  transition.reportOnce({ what: 'keyInUseElsewhere', height, round, text });
  if (height !== transition.height.height) return;
  const { phase, foreignRound } = transition.state;
  if (phase === 'observing' && foreignRound === undefined) return;
  transition.set({ phase: 'observing', foreignRound: Math.max(round, foreignRound ?? 0) });
  if (foreignRound !== undefined) return;
  const delayMs = transition.height.timeoutMs(0);
  transition.emit(
    { type: 'stopTimer', timer: 'retry' },
    { type: 'startTimer', timer: 'round', delayMs, ...transition.view },
  );
}

/** The pause is over: takes part again, in a round for which the other process has signed nothing yet. */
export function endPause(transition: Transition): void {
  const { round, foreignRound = 0 } = transition.state;
  transition.set({ foreignRound: undefined });
  // One that is far off is not followed: others would not come along.
  const isNear = foreignRound > round && foreignRound <= round + MAX_ROUNDS_AHEAD;
  changeRound(transition, (isNear ? foreignRound : round) + 1);
}

/** Whether the record has the message as signed; true for heights before the record, which cannot be checked. */
function isRecorded({ state: { record } }: Transition, message: ConsensusMessage): boolean {
  if (message.height !== record.height) return message.height < record.height;
  if (message.kind === 'seal') return record.seal === message.digest;
  if (message.round !== record.round) return message.round < record.round;
  switch (message.kind) {
    case 'proposal':
      return record.proposal === message.block.hash;
    case 'prepare':
    case 'commit':
      return record[message.kind] === message.digest;
    case 'roundChange':
      return record.roundChange;
  }
}
