import type { Hash } from '@tetrad/types';
import type { ProposalMessage } from '../messages/consensus-message.js';
import type { Verdict } from './events.js';
import { justificationOf } from './justification.js';
import { acceptProposal, rememberValid } from './preparing.js';
import { considerProposal } from './proposing.js';
import { enterRound } from './rounds.js';
import type { Transition } from './transition.js';

/**
 * A PRE-PREPARE of the height, of the current round or a later one.
 *
 * A justified one of a later round proves that a quorum entered that round, so this node follows at once.
 */
export function onProposal(transition: Transition, message: ProposalMessage): void {
  const { round, phase, proposal } = transition.state;
  if (message.round < round || phase === 'committed') return;
  if (message.round === round && phase !== 'awaiting') {
    if (proposal?.hash !== message.block.hash) reportSecondProposal(transition, message);
    return;
  }
  const fault = faultOf(transition, message);
  if (fault !== undefined) return rejectProposal(transition, message, fault);
  if (contradictsRecord(transition, message)) return reportSecondProposal(transition, message);
  if (message.round > round) enterRound(transition, message.round);
  considerProposal(transition, message.block);
}

/** Fault of the message; the driver checks the content of the block. */
function faultOf({ height }: Transition, message: ProposalMessage): string | undefined {
  const { block, round, sender } = message;
  if (sender !== height.proposerAt(round)) return 'message does not come from proposer';
  if (block.header.number !== height.height) return 'the block has another number';
  if (block.header.parentHash !== height.parentHash) return 'the block has another parent';
  const justification = justificationOf(height, message);
  if (justification === undefined) return 'invalid prepared block in round change messages';
  // A prepared block keeps its author; a new one is the proposer's own, as it votes in the name of its author.
  if (justification === 'fresh' && block.author !== sender) return 'the block is not the proposer’s own';
  return undefined;
}

function rejectProposal(
  transition: Transition,
  { sender, height, round }: ProposalMessage,
  text: string,
): void {
  transition.reportOnce({ what: 'invalidMessage', sender, height, round, text });
}

/** Whether this validator prepared another block in the round before it was restarted. */
function contradictsRecord(
  { state: { record } }: Transition,
  { height, round, block }: ProposalMessage,
): boolean {
  const isSameView = record.height === height && record.round === round;
  return isSameView && record.prepare !== undefined && record.prepare !== block.hash;
}

function reportSecondProposal(transition: Transition, { sender, height, round }: ProposalMessage): void {
  // Only the proposer can equivocate here.
  if (sender !== transition.height.proposerAt(round)) return;
  const text = 'two proposals of one round';
  transition.reportOnce({ what: 'equivocation', sender, height, round, text });
}

/** The driver has checked the block of a proposal. */
export function onValidated(transition: Transition, digest: Hash, verdict: Verdict): void {
  if (verdict === 'valid') rememberValid(transition, digest);
  const { phase, proposal } = transition.state;
  if (phase !== 'validating' || proposal?.hash !== digest) return;
  if (verdict === 'valid') return acceptProposal(transition);
  if (verdict !== 'invalid') {
    const delayMs = verdict.retryAfterMs;
    transition.emit({ type: 'startTimer', timer: 'retry', delayMs, ...transition.view });
    return;
  }
  // Nothing else can happen in this round; its timer ends it (docs/spec/bft.md#rounds).
  const text = 'the block of the proposal is not valid';
  transition.reportOnce({ what: 'invalidProposal', sender: proposal.author, ...transition.view, text });
}

/** The block was ahead of this node's clock and may be valid by now. */
export function onRetry(transition: Transition): void {
  const { phase, proposal } = transition.state;
  if (phase !== 'validating' || proposal === undefined) return;
  considerProposal(transition, proposal);
}
