import type { ConsensusMessage } from '../messages/consensus-message.js';
import { MAX_HEIGHTS_AHEAD, bufferMessage, sendersAbove } from './future-buffer.js';
import { onProposal } from './on-proposal.js';
import { onRoundChange } from './on-round-change.js';
import { onCommit, onPrepare, onSeal } from './on-vote.js';
import { onOwnMessage } from './own-echo.js';
import type { Transition } from './transition.js';

/** A message that was decoded and whose sender was recovered. */
export function onMessage(transition: Transition, message: ConsensusMessage): void {
  const { height } = transition;
  if (message.height < height.height || !height.members.has(message.sender)) return;
  if (message.sender === transition.identity.address) return onOwnMessage(transition, message);
  if (message.height > height.height) return keepForLater(transition, message);
  if (transition.state.phase !== 'observing') handle(transition, message);
}

function handle(transition: Transition, message: ConsensusMessage): void {
  switch (message.kind) {
    case 'proposal':
      return onProposal(transition, message);
    case 'prepare':
      return onPrepare(transition, message);
    case 'commit':
      return onCommit(transition, message);
    case 'seal':
      return onSeal(transition, message);
    case 'roundChange':
      return onRoundChange(transition, message);
  }
}

/** The set of a later height is not known, but differs from the current one by a vote at most. */
function keepForLater(transition: Transition, message: ConsensusMessage): void {
  const { height, members, notAllFaulty } = transition.height;
  const room = { height, validators: members.size };
  const future = bufferMessage(transition.state.future, message, room);
  transition.set({ future });
  // One height ahead is a matter of milliseconds; more means that this node lacks blocks.
  const isBehind =
    message.height >= height + MAX_HEIGHTS_AHEAD && sendersAbove(future, height + 1) >= notAllFaulty;
  if (!isBehind) return;
  const text = 'validators decide on blocks further up';
  transition.reportOnce({ what: 'behind', height: message.height, round: message.round, text });
}
