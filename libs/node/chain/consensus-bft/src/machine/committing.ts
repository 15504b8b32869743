import { commitDigest, committedHeader } from '../block-sealing.js';
import { recoverSigner } from '../messages/message-signing.js';
import type { CommitMessage, ProposedBlock, SealMessage } from '../messages/consensus-message.js';
import { MessageError } from '../messages/message-fields.js';
import type { Height } from './height.js';
import { sendSeal } from './own-messages.js';
import type { Transition } from './transition.js';
import { keepVotes, votesFor } from './votes.js';

/** Whether the seal of a COMMIT is the sender's over this block; in IBFT a COMMIT carries none. */
export function isCommitSound(height: Height, block: ProposedBlock, commit: CommitMessage): boolean {
  return height.format === 'ibft' ? commit.seal.length === 0 : isSealSound(height, block, commit);
}

function isSealSound(
  { format }: Height,
  block: ProposedBlock,
  { round, seal, sender }: CommitMessage | SealMessage,
): boolean {
  try {
    return recoverSigner(commitDigest(format, block.header, round), seal) === sender;
  } catch (error) {
    if (error instanceof MessageError) return false;
    throw error;
  }
}

/** Drops the round's COMMITs that are not for the proposal or carry a bad seal; it could not be checked earlier. */
export function sortOutCommits(transition: Transition, block: ProposedBlock): void {
  const { commits, round } = transition.state;
  const isSound = (commit: CommitMessage) => {
    if (commit.digest === block.hash && isCommitSound(transition.height, block, commit)) return true;
    reportBadSeal(transition, commit);
    return false;
  };
  transition.set({ commits: keepVotes(commits, round, isSound) });
}

export function reportBadSeal(transition: Transition, { sender, kind }: CommitMessage | SealMessage): void {
  const text = `the ${kind} carries no seal of its sender over the proposal`;
  transition.reportOnce({ what: 'badSeal', sender, ...transition.view, text });
}

/**
 * Ends the round when a quorum has committed to its proposal.
 *
 * A quorum of sound COMMITs decides, whether or not this node saw the PREPAREs.
 */
export function checkCommitted(transition: Transition): void {
  const { phase, proposal, commits, round } = transition.state;
  if ((phase !== 'preprepared' && phase !== 'prepared') || proposal === undefined) return;
  const votes = votesFor(commits, round, proposal.hash);
  if (votes.length < transition.height.quorum) return;
  if (transition.height.format === 'ibft') return decide(transition, proposal);
  commitBlock(transition, proposal, votes);
}

/** IBFT: every honest validator decides the same block of a height, so this is the only one it seals. */
function decide(transition: Transition, block: ProposedBlock): void {
  transition.set({ phase: 'decided' });
  giveSeal(transition, block);
  checkSealed(transition);
}

/** Seals the decided block, and drops the seals of others that turn out not to fit it. */
export function giveSeal(transition: Transition, block: ProposedBlock): void {
  transition.set({ decided: block });
  const sound = [...transition.state.seals].filter(([, seal]) => {
    if (isDecidedSeal(transition, seal)) return true;
    reportBadSeal(transition, seal);
    return false;
  });
  const own = sendSeal(transition, block);
  transition.set({ seals: new Map(own === undefined ? sound : [...sound, [own.sender, own]]) });
}

/** Whether it is the sender's seal over the decided block. */
export function isDecidedSeal({ height, state: { decided } }: Transition, seal: SealMessage): boolean {
  return decided !== undefined && seal.digest === decided.hash && isSealSound(height, decided, seal);
}

/** IBFT: commits the decided block once a quorum has sealed it, in whatever rounds. */
export function checkSealed(transition: Transition): void {
  const { phase, decided, seals } = transition.state;
  if (decided === undefined || phase === 'committed' || seals.size < transition.height.quorum) return;
  commitBlock(transition, decided, [...seals.values()]);
}

function commitBlock(
  transition: Transition,
  block: ProposedBlock,
  votes: readonly (CommitMessage | SealMessage)[],
): void {
  const { round } = transition.state;
  const ordered = [...votes].sort((a, b) => (a.sender < b.sender ? -1 : 1));
  const seals = ordered.map(({ seal }) => seal);
  const header = committedHeader(transition.height.format, block.header, { round, seals });
  transition.set({ phase: 'committed' });
  transition.emit(
    { type: 'stopTimer', timer: 'round' },
    { type: 'stopTimer', timer: 'retry' },
    { type: 'commit', committed: { block, header, round } },
  );
}
