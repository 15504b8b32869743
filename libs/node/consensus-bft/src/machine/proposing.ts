import type { ProposalMessage, ProposedBlock, RoundChangeMessage } from '../messages/consensus-message.js';
import { acceptProposal } from './preparing.js';
import { sendProposal } from './own-messages.js';
import type { Turn } from './turn.js';

/**
 * Proposes, when it is this validator's turn and the round lets it.
 *
 * Round 0: its own candidate. Above: with a quorum of round changes, the block of the newest certificate among them,
 * or its own candidate when there is none.
 */
export function tryPropose(turn: Turn): void {
  const { phase, round, record } = turn.state;
  const isOurs = turn.height.proposerAt(round) === turn.identity.address;
  if (!isOurs || phase !== 'awaiting') return;
  // A second proposal of a round would be equivocation, whatever became of the first.
  if (record.height === turn.view.height && record.round === round && record.proposal !== undefined) return;
  if (round === 0) return proposeCandidate(turn, { roundChanges: [], prepares: [] });
  const roundChanges = [...turn.state.roundChanges.values()].filter((one) => one.round === round);
  if (roundChanges.length < turn.height.quorum) return;
  const newest = newestPrepared(roundChanges);
  if (newest?.block === undefined) return proposeCandidate(turn, { roundChanges, prepares: [] });
  propose(turn, newest.block, { roundChanges, prepares: newest.prepares });
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
  turn: Turn,
  justification: Pick<ProposalMessage, 'roundChanges' | 'prepares'>,
): void {
  const { candidate, candidateRequested } = turn.state;
  if (candidate !== undefined) return propose(turn, candidate, justification);
  if (candidateRequested) return;
  turn.set({ candidateRequested: true });
  turn.emit({ type: 'requestCandidate', ...turn.view });
}

function propose(
  turn: Turn,
  block: ProposedBlock,
  justification: Pick<ProposalMessage, 'roundChanges' | 'prepares'>,
): void {
  if (sendProposal(turn, block, justification) === undefined) return;
  considerProposal(turn, block);
}

/** Makes the block the round's proposal; one that was not found valid yet is checked first. */
export function considerProposal(turn: Turn, block: ProposedBlock): void {
  turn.set({ proposal: block, phase: 'validating' });
  if (turn.state.validDigests.includes(block.hash)) return acceptProposal(turn);
  turn.emit({ type: 'validate', block, ...turn.view });
}
