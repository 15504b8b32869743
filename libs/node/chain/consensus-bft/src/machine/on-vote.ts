import type { CommitMessage, PrepareMessage, SealMessage } from '../messages/consensus-message.js';
import { checkCommitted, checkSealed, isCommitSound, isDecidedSeal, reportBadSeal } from './committing.js';
import { checkPrepared } from './preparing.js';
import type { Transition } from './transition.js';
import { addVote, type VoteResult } from './votes.js';

export function onPrepare(transition: Transition, message: PrepareMessage): void {
  if (isOver(transition, message)) return;
  const { votes, result } = addVote(transition.state.prepares, message, place(transition));
  transition.set({ prepares: votes });
  if (!mayCount(transition, message, result)) return;
  checkPrepared(transition);
  checkCommitted(transition);
}

export function onCommit(transition: Transition, message: CommitMessage): void {
  if (isOver(transition, message)) return;
  const { phase, round, proposal, commits } = transition.state;
  // Once the proposal is known, a bad seal is never kept; before that, it waits for `sortOutCommits`.
  const isKnown = (phase === 'preprepared' || phase === 'prepared') && message.round === round;
  if (isKnown && message.digest === proposal?.hash && !isCommitSound(transition.height, proposal, message))
    return reportBadSeal(transition, message);
  const { votes, result } = addVote(commits, message, place(transition));
  transition.set({ commits: votes });
  if (mayCount(transition, message, result)) checkCommitted(transition);
}

/** IBFT: a seal counts in any round, because it is only made for the decided block. */
export function onSeal(transition: Transition, message: SealMessage): void {
  const { phase, seals, decided } = transition.state;
  if (transition.height.format !== 'ibft' || phase === 'committed') return;
  const earlier = seals.get(message.sender);
  if (earlier !== undefined && earlier.digest !== message.digest) {
    const text = 'seals over two blocks of one height';
    const { sender, height, round } = message;
    return transition.reportOnce({ what: 'equivocation', sender, height, round, text });
  }
  if (earlier !== undefined) return;
  if (decided !== undefined && !isDecidedSeal(transition, message)) return reportBadSeal(transition, message);
  transition.set({ seals: new Map(seals).set(message.sender, message) });
  checkSealed(transition);
}

function isOver({ state: { phase, round } }: Transition, message: PrepareMessage | CommitMessage): boolean {
  return message.round < round || phase === 'committed';
}

/** The round, and the block whose votes must not be lost. */
function place({ state: { round, proposal } }: Transition) {
  return { round, wanted: proposal?.hash };
}

function mayCount(
  transition: Transition,
  message: PrepareMessage | CommitMessage,
  result: VoteResult,
): boolean {
  if (result === 'conflict') {
    const { sender, height, round, kind } = message;
    transition.reportOnce({ what: 'equivocation', sender, height, round, text: `two ${kind}s of one round` });
  }
  return result === 'added' || result === 'conflict';
}
