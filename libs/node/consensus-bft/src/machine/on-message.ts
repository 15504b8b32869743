import type { ConsensusMessage } from '../messages/consensus-message.js';
import { MAX_HEIGHTS_AHEAD, bufferMessage, sendersAbove } from './future-buffer.js';
import { onProposal } from './on-proposal.js';
import { onRoundChange } from './on-round-change.js';
import { onCommit, onPrepare, onSeal } from './on-vote.js';
import { onOwnMessage } from './own-echo.js';
import type { Turn } from './turn.js';

/** A message that was decoded and whose sender was recovered. */
export function onMessage(turn: Turn, message: ConsensusMessage): void {
  const { height } = turn;
  if (message.height < height.height || !height.members.has(message.sender)) return;
  if (message.sender === turn.identity.address) return onOwnMessage(turn, message);
  if (message.height > height.height) return keepForLater(turn, message);
  if (turn.state.phase === 'observing') return turn.emit({ type: 'relay', message });
  handle(turn, message);
}

function handle(turn: Turn, message: ConsensusMessage): void {
  switch (message.kind) {
    case 'proposal':
      return onProposal(turn, message);
    case 'prepare':
      return onPrepare(turn, message);
    case 'commit':
      return onCommit(turn, message);
    case 'seal':
      return onSeal(turn, message);
    case 'roundChange':
      return onRoundChange(turn, message);
  }
}

/** The set of a later height is not known, but it is today's but for a vote. */
function keepForLater(turn: Turn, message: ConsensusMessage): void {
  const { height, members, notAllFaulty } = turn.height;
  const room = { height, validators: members.size };
  const future = bufferMessage(turn.state.future, message, room);
  turn.set({ future });
  // One height ahead is a matter of milliseconds, more is a chain that this node lacks blocks of.
  const isBehind =
    message.height >= height + MAX_HEIGHTS_AHEAD && sendersAbove(future, height + 1) >= notAllFaulty;
  if (!isBehind) return;
  const text = 'validators decide on blocks further up';
  turn.reportOnce({ what: 'behind', height: message.height, round: message.round, text });
}
