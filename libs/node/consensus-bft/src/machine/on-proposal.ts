import type { Hash } from '@tetrad/types';
import type { ProposalMessage } from '../messages/consensus-message.js';
import type { Verdict } from './events.js';
import { justificationOf } from './justification.js';
import { acceptProposal, rememberValid } from './preparing.js';
import { considerProposal } from './proposing.js';
import { enterRound } from './rounds.js';
import type { Turn } from './turn.js';

/**
 * A PRE-PREPARE of the height, of the current round or a later one.
 *
 * A justified one of a later round is proof that a quorum went there, so this node follows at once.
 */
export function onProposal(turn: Turn, message: ProposalMessage): void {
  const { round, phase, proposal } = turn.state;
  if (message.round < round || phase === 'committed') return;
  if (message.round === round && phase !== 'awaiting') {
    if (proposal?.hash !== message.block.hash) reportSecondProposal(turn, message);
    return;
  }
  const fault = faultOf(turn, message);
  if (fault !== undefined) return rejectProposal(turn, message, fault);
  if (contradictsRecord(turn, message)) return reportSecondProposal(turn, message);
  if (message.round > round) enterRound(turn, message.round);
  turn.emit({ type: 'relay', message });
  considerProposal(turn, message.block);
}

/** What is wrong with the message; the block's content is the driver's to check. */
function faultOf({ height }: Turn, message: ProposalMessage): string | undefined {
  const { block, round, sender } = message;
  if (sender !== height.proposerAt(round)) return 'message does not come from proposer';
  if (block.header.number !== height.height) return 'the block has another number';
  if (block.header.parentHash !== height.parentHash) return 'the block has another parent';
  const justification = justificationOf(height, message);
  if (justification === undefined) return 'invalid prepared block in round change messages';
  // A prepared block keeps its author; a new one is the proposer's own, or it would vote in somebody else's name.
  if (justification === 'fresh' && block.author !== sender) return 'the block is not the proposer’s own';
  return undefined;
}

function rejectProposal(turn: Turn, { sender, height, round }: ProposalMessage, text: string): void {
  turn.reportOnce({ what: 'invalidMessage', sender, height, round, text });
}

/** Whether this validator prepared another block in the round before it was restarted. */
function contradictsRecord({ state: { record } }: Turn, { height, round, block }: ProposalMessage): boolean {
  const isSameView = record.height === height && record.round === round;
  return isSameView && record.prepare !== undefined && record.prepare !== block.hash;
}

function reportSecondProposal(turn: Turn, { sender, height, round }: ProposalMessage): void {
  // Anybody but the proposer has nothing to say here, however often.
  if (sender !== turn.height.proposerAt(round)) return;
  const text = 'two proposals of one round';
  turn.reportOnce({ what: 'equivocation', sender, height, round, text });
}

/** The driver has checked the block of a proposal. */
export function onValidated(turn: Turn, digest: Hash, verdict: Verdict): void {
  if (verdict === 'valid') rememberValid(turn, digest);
  const { phase, proposal } = turn.state;
  if (phase !== 'validating' || proposal?.hash !== digest) return;
  if (verdict === 'valid') return acceptProposal(turn);
  if (verdict !== 'invalid') {
    const delayMs = verdict.retryAfterMs;
    turn.emit({ type: 'startTimer', timer: 'retry', delayMs, ...turn.view });
    return;
  }
  // Nothing else can happen in this round; its timer ends it (ibft.md, section 7).
  const text = 'the block of the proposal is not valid';
  turn.reportOnce({ what: 'invalidProposal', sender: proposal.author, ...turn.view, text });
}

/** The block was ahead of this node's clock and may be valid by now. */
export function onRetry(turn: Turn): void {
  const { phase, proposal } = turn.state;
  if (phase !== 'validating' || proposal === undefined) return;
  considerProposal(turn, proposal);
}
