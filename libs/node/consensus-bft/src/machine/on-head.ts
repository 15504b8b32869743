import { checkCommitted, checkSealed, giveSeal } from './committing.js';
import type { PreparedCertificate } from '../record/signed-record.js';
import { takeHeight } from './future-buffer.js';
import { createHeight, type HeightContext } from './height.js';
import { sendCommit } from './own-messages.js';
import { rememberValid } from './preparing.js';
import { tryPropose } from './proposing.js';
import { startRoundTimer } from './round-timer.js';
import { announceRound } from './rounds.js';
import { emptyHeight } from './state.js';
import type { Turn } from './turn.js';
import { addVote } from './votes.js';

/**
 * The chain has a new head: begins the height above it.
 *
 * A height that the record knows is gone on with where it was left: same round, same certificate. The caller then
 * handles the messages that came too early.
 *
 * Out: those messages
 */
export function beginHeight(turn: Turn, context: HeightContext, atMs: number) {
  const current = turn.state.height;
  if (current !== undefined && context.height <= current.height) return [];
  const height = createHeight(context);
  const { record, future } = turn.state;
  const isResumed = record.height === height.height;
  const { messages, rest } = takeHeight(future, height.height);
  const isMember = height.members.has(turn.identity.address);
  turn.set({
    ...emptyHeight(),
    height,
    round: isResumed ? record.round : 0,
    future: rest,
    phase: isMember ? 'awaiting' : 'observing',
  });
  turn.emit({ type: 'stopTimer', timer: 'retry' });
  if (!isMember) turn.emit({ type: 'stopTimer', timer: 'round' });
  else if (isResumed) resume(turn);
  else beginRoundZero(turn, atMs);
  return messages;
}

/** The round's time begins when a block may be made, which an empty one may later than others. */
function beginRoundZero(turn: Turn, atMs: number): void {
  const { idleEndsMs, periodEndsMs } = turn.height;
  turn.set({ idleDelay: idleEndsMs > periodEndsMs });
  startRoundZeroTimer(turn, Math.max(idleEndsMs, periodEndsMs) - atMs);
  tryPropose(turn);
}

function startRoundZeroTimer(turn: Turn, waitMs: number): void {
  const delayMs = Math.max(waitMs, 0) + turn.height.timeoutMs(0);
  turn.emit({ type: 'startTimer', timer: 'round', delayMs, ...turn.view });
}

/** After a restart: what was said last is said again, word by word; then the round goes on. */
function resume(turn: Turn): void {
  const { record } = turn.state;
  startRoundTimer(turn);
  if (record.certificate !== undefined) resumeCertificate(turn, record.certificate);
  const saidNothingElse =
    record.proposal === undefined && record.prepare === undefined && record.commit === undefined;
  if (record.roundChange && saidNothingElse) announceRound(turn);
  tryPropose(turn);
}

function resumeCertificate(turn: Turn, certificate: PreparedCertificate): void {
  const { block, round } = certificate;
  const { commit, seal } = turn.state.record;
  rememberValid(turn, block.hash);
  if (commit === block.hash && round === turn.state.round) {
    turn.set({ phase: 'prepared', proposal: block });
    const own = sendCommit(turn, certificate);
    if (own !== undefined) turn.set({ commits: addVote(turn.state.commits, own, round).votes });
  }
  if (seal === block.hash) giveSeal(turn, block);
  // A lone validator is its own quorum.
  checkCommitted(turn);
  checkSealed(turn);
}

/** Transactions wait, so the next block will not be empty: the round's time begins with the block period. */
export function onWork(turn: Turn, atMs: number): void {
  const { idleDelay, phase, round } = turn.state;
  if (!idleDelay || phase !== 'awaiting' || round !== 0) return;
  turn.set({ idleDelay: false });
  startRoundZeroTimer(turn, turn.height.periodEndsMs - atMs);
}
