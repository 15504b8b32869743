import { checkCommitted, checkSealed, giveSeal } from './committing.js';
import type { PreparedCertificate } from '../record/signed-record.js';
import { takeHeight } from './future-buffer.js';
import { createHeight, type HeightContext } from './height.js';
import { sendCommit } from './own-messages.js';
import { rememberValid } from './preparing.js';
import { tryPropose } from './proposing.js';
import { startRoundTimer, type Transition } from './transition.js';
import { announceRound } from './rounds.js';
import { emptyHeight } from './state.js';
import { addVote } from './votes.js';

/**
 * The chain has a new head: begins the height above it.
 *
 * A height in the record is resumed from it: same round, same certificate. The caller then handles the messages that
 * arrived too early.
 *
 * @returns those messages
 */
export function beginHeight(transition: Transition, context: HeightContext, atMs: number) {
  const current = transition.state.height;
  if (current !== undefined && context.height <= current.height) return [];
  const height = createHeight(context);
  const { record, future } = transition.state;
  const isResumed = record.height === height.height;
  const { messages, rest } = takeHeight(future, height.height);
  const { address, isSilent } = transition.identity;
  const signs = height.members.has(address) && isSilent !== true;
  transition.set({
    ...emptyHeight(),
    height,
    round: isResumed ? record.round : 0,
    future: rest,
    phase: signs ? 'awaiting' : 'observing',
  });
  transition.emit({ type: 'stopTimer', timer: 'retry' });
  if (!signs) transition.emit({ type: 'stopTimer', timer: 'round' });
  else if (isResumed) resume(transition);
  else beginRoundZero(transition, atMs);
  return messages;
}

/** The round's time begins when a block may be made, which is later for an empty block. */
function beginRoundZero(transition: Transition, atMs: number): void {
  const { idleEndsMs, periodEndsMs } = transition.height;
  transition.set({ idleDelay: idleEndsMs > periodEndsMs });
  startRoundZeroTimer(transition, Math.max(idleEndsMs, periodEndsMs) - atMs);
  tryPropose(transition);
}

function startRoundZeroTimer(transition: Transition, waitMs: number): void {
  const delayMs = Math.max(waitMs, 0) + transition.height.timeoutMs(0);
  transition.emit({ type: 'startTimer', timer: 'round', delayMs, ...transition.view });
}

/** After a restart: the last messages are sent again, byte for byte; then the round goes on. */
function resume(transition: Transition): void {
  const { record } = transition.state;
  startRoundTimer(transition);
  if (record.certificate !== undefined) resumeCertificate(transition, record.certificate);
  const saidNothingElse =
    record.proposal === undefined && record.prepare === undefined && record.commit === undefined;
  if (record.roundChange && saidNothingElse) announceRound(transition);
  tryPropose(transition);
}

function resumeCertificate(transition: Transition, certificate: PreparedCertificate): void {
  const { block, round } = certificate;
  const { commit, seal } = transition.state.record;
  rememberValid(transition, block.hash);
  if (commit === block.hash && round === transition.state.round) {
    transition.set({ phase: 'prepared', proposal: block });
    const own = sendCommit(transition, certificate);
    if (own !== undefined)
      transition.set({ commits: addVote(transition.state.commits, own, { round }).votes });
  }
  if (seal === block.hash) giveSeal(transition, block);
  // A single validator is its own quorum.
  checkCommitted(transition);
  checkSealed(transition);
}

/** Transactions wait, so the next block will not be empty: the round's time begins with the block period. */
export function onWork(transition: Transition, atMs: number): void {
  const { idleDelay, phase, round } = transition.state;
  if (!idleDelay || phase !== 'awaiting' || round !== 0) return;
  transition.set({ idleDelay: false });
  startRoundZeroTimer(transition, transition.height.periodEndsMs - atMs);
}
