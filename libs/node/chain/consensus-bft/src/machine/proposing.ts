import type { ProposalMessage, ProposedBlock, RoundChangeMessage } from '../messages/consensus-message.js';
import { acceptProposal } from './preparing.js';
import { sendProposal } from './own-messages.js';
import type { Transition } from './transition.js';

/**
 * Proposes, when it is this validator's turn and the round allows it.
 *
 * Round 0: its own candidate. Above: with a quorum of round changes, the block of the newest certificate among them,
 * or its own candidate without a certificate.
 */
export function tryPropose(transition: Transition): void {
  const { phase, round, record } = transition.state;
  const isOurs = transition.height.proposerAt(round) === transition.identity.address;
  if (!isOurs || phase !== 'awaiting') return;
  // A second proposal of a round would be equivocation, whatever happened to the first.
  if (record.height === transition.view.height && record.round === round && record.proposal !== undefined)
    return;
  if (round === 0) return proposeCandidate(transition, { roundChanges: [], prepares: [] });
  const { roundChanges: newest, lateChanges } = transition.state;
  const ofRound = [...newest.values()].filter((one) => one.round === round);
  const roundChanges = [...ofRound, ...lateChanges.values()];
  if (roundChanges.length < transition.height.quorum) return;
  const prepared = newestPrepared(roundChanges);
  if (prepared?.block === undefined) return proposeCandidate(transition, { roundChanges, prepares: [] });
  propose(transition, prepared.block, { roundChanges, prepares: prepared.prepares });
}

function newestPrepared(roundChanges: readonly RoundChangeMessage[]): RoundChangeMessage | undefined {
  const roundOf = (one: RoundChangeMessage | undefined) => one?.prepared?.round ?? -1;
  const newest = roundChanges.reduce<RoundChangeMessage | undefined>(
    (best, one) => (roundOf(one) > roundOf(best) ? one : best),
    undefined,
  );
  return newest;
}

function proposeCandidate(
  transition: Transition,
  justification: Pick<ProposalMessage, 'roundChanges' | 'prepares'>,
): void {
  const { candidate, candidateRequested } = transition.state;
  if (candidate !== undefined) return propose(transition, candidate, justification);
  if (candidateRequested) return;
  transition.set({ candidateRequested: true });
  transition.emit({ type: 'requestCandidate', ...transition.view });
}

function propose(
  transition: Transition,
  block: ProposedBlock,
  justification: Pick<ProposalMessage, 'roundChanges' | 'prepares'>,
): void {
  if (sendProposal(transition, block, justification) === undefined) return;
  considerProposal(transition, block);
}

/** Makes the block the round's proposal; one that was not validated yet is validated first. */
export function considerProposal(transition: Transition, block: ProposedBlock): void {
  transition.set({ proposal: block, phase: 'validating' });
  if (transition.state.validDigests.includes(block.hash)) return acceptProposal(transition);
  transition.emit({ type: 'validate', block, ...transition.view });
}
