import type { CommitMessage, PrepareMessage, SealMessage } from '../messages/consensus-message.js';
import { checkCommitted, checkSealed, isCommitSound, isDecidedSeal, reportBadSeal } from './committing.js';
import { checkPrepared } from './preparing.js';
import type { Turn } from './turn.js';
import { addVote, type VoteResult } from './votes.js';

export function onPrepare(turn: Turn, message: PrepareMessage): void {
  if (isOver(turn, message)) return;
  const { votes, result } = addVote(turn.state.prepares, message, turn.state.round);
  turn.set({ prepares: votes });
  if (!isNews(turn, message, result)) return;
  checkPrepared(turn);
  checkCommitted(turn);
}

export function onCommit(turn: Turn, message: CommitMessage): void {
  if (isOver(turn, message)) return;
  const { phase, round, proposal, commits } = turn.state;
  // Once the proposal is known a bad seal never gets among the commits; before, it waits for `sortOutCommits`.
  const isKnown = (phase === 'preprepared' || phase === 'prepared') && message.round === round;
  if (isKnown && message.digest === proposal?.hash && !isCommitSound(turn.height, proposal, message))
    return reportBadSeal(turn, message);
  const { votes, result } = addVote(commits, message, round);
  turn.set({ commits: votes });
  if (isNews(turn, message, result)) checkCommitted(turn);
}

/** IBFT: a seal counts whatever the round, because it is only given over the one block that was decided on. */
export function onSeal(turn: Turn, message: SealMessage): void {
  const { phase, seals, decided } = turn.state;
  if (turn.height.format !== 'ibft' || phase === 'committed') return;
  const earlier = seals.get(message.sender);
  if (earlier !== undefined && earlier.digest !== message.digest) {
    const text = 'seals over two blocks of one height';
    const { sender, height, round } = message;
    return turn.reportOnce({ what: 'equivocation', sender, height, round, text });
  }
  if (earlier !== undefined) return;
  if (decided !== undefined && !isDecidedSeal(turn, message)) return reportBadSeal(turn, message);
  turn.set({ seals: new Map(seals).set(message.sender, message) });
  turn.emit({ type: 'relay', message });
  checkSealed(turn);
}

function isOver({ state: { phase, round } }: Turn, message: PrepareMessage | CommitMessage): boolean {
  return message.round < round || phase === 'committed';
}

function isNews(turn: Turn, message: PrepareMessage | CommitMessage, result: VoteResult): boolean {
  if (result === 'added') turn.emit({ type: 'relay', message });
  if (result === 'conflict') {
    const { sender, height, round, kind } = message;
    turn.reportOnce({ what: 'equivocation', sender, height, round, text: `two ${kind}s of one round` });
  }
  return result === 'added';
}
