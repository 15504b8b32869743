import type { ConsensusMessage } from '../messages/consensus-message.js';
import type { Transition } from './transition.js';

/**
 * A received message carries this validator's own signature.
 *
 * Usually it is an echo. When it differs from the record, another node signs with the same key, or the record was lost
 * with a database: this node stops signing at the height, so that the two do not contradict each other.
 */
export function onOwnMessage(transition: Transition, message: ConsensusMessage): void {
  if (isRecorded(transition, message)) return;
  const { height, round, kind } = message;
  const text = `a ${kind} with this validator's signature that this node did not send`;
  transition.reportOnce({ what: 'keyInUseElsewhere', height, round, text });
  if (height !== transition.height.height || transition.state.phase === 'observing') return;
  transition.set({ phase: 'observing' });
  transition.emit({ type: 'stopTimer', timer: 'round' }, { type: 'stopTimer', timer: 'retry' });
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
