import type { Hash } from '@tetrad/types';
import { checkCommitted, sortOutCommits } from './committing.js';
import { sendCommit, sendPrepare } from './own-messages.js';
import { startRoundTimer, type Transition } from './transition.js';
import { addVote, votesFor } from './votes.js';

/** Valid blocks of a height that are remembered; more than one is rare. */
const MAX_VALID_DIGESTS = 8;

/** The round's proposal is valid: prepares it, and continues with the votes received so far. */
export function acceptProposal(transition: Transition): void {
  const { proposal, round } = transition.state;
  if (proposal === undefined) return;
  transition.set({ phase: 'preprepared' });
  transition.emit({ type: 'stopTimer', timer: 'retry' });
  startRoundTimer(transition);
  sortOutCommits(transition, proposal);
  const own = sendPrepare(transition, proposal.hash);
  if (own !== undefined)
    transition.set({ prepares: addVote(transition.state.prepares, own, { round }).votes });
  checkPrepared(transition);
  checkCommitted(transition);
}

/** Commits to the proposal when a quorum has prepared it. */
export function checkPrepared(transition: Transition): void {
  const { phase, proposal, prepares, round } = transition.state;
  if (phase !== 'preprepared' || proposal === undefined) return;
  const votes = votesFor(prepares, round, proposal.hash);
  if (votes.length < transition.height.quorum) return;
  const certificate = { round, block: proposal, prepares: votes.slice(0, transition.height.quorum) };
  transition.set({ phase: 'prepared' });
  const own = sendCommit(transition, certificate);
  if (own !== undefined) transition.set({ commits: addVote(transition.state.commits, own, { round }).votes });
}

/** Remembers that the block is valid, also after the round of the check. */
export function rememberValid(transition: Transition, digest: Hash): void {
  const others = transition.state.validDigests.filter((one) => one !== digest);
  transition.set({ validDigests: [...others, digest].slice(-MAX_VALID_DIGESTS) });
}
