import type { Hash } from '@tetrad/types';
import { checkCommitted, sortOutCommits } from './committing.js';
import { sendCommit, sendPrepare } from './own-messages.js';
import { startRoundTimer } from './round-timer.js';
import type { Turn } from './turn.js';
import { addVote, votesFor } from './votes.js';

/** Valid blocks of a height that are remembered; more than one is rare. */
const MAX_VALID_DIGESTS = 8;

/** The round's proposal is valid: prepares it, and goes on with the votes that are there already. */
export function acceptProposal(turn: Turn): void {
  const { proposal, round } = turn.state;
  if (proposal === undefined) return;
  turn.set({ phase: 'preprepared' });
  turn.emit({ type: 'stopTimer', timer: 'retry' });
  startRoundTimer(turn);
  sortOutCommits(turn, proposal);
  const own = sendPrepare(turn, proposal.hash);
  if (own !== undefined) turn.set({ prepares: addVote(turn.state.prepares, own, round).votes });
  checkPrepared(turn);
  checkCommitted(turn);
}

/** Commits to the proposal when a quorum has prepared it. */
export function checkPrepared(turn: Turn): void {
  const { phase, proposal, prepares, round } = turn.state;
  if (phase !== 'preprepared' || proposal === undefined) return;
  const votes = votesFor(prepares, round, proposal.hash);
  if (votes.length < turn.height.quorum) return;
  const certificate = { round, block: proposal, prepares: votes.slice(0, turn.height.quorum) };
  turn.set({ phase: 'prepared' });
  const own = sendCommit(turn, certificate);
  if (own !== undefined) turn.set({ commits: addVote(turn.state.commits, own, round).votes });
}

/** The block is valid, whatever becomes of the round in which that was asked. */
export function rememberValid(turn: Turn, digest: Hash): void {
  const others = turn.state.validDigests.filter((one) => one !== digest);
  turn.set({ validDigests: [...others, digest].slice(-MAX_VALID_DIGESTS) });
}
