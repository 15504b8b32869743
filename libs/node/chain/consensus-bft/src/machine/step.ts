import type { ProposedBlock } from '../messages/consensus-message.js';
import type { Effect } from './effects.js';
import type { MachineEvent } from './events.js';
import { beginHeight, onWork } from './on-head.js';
import { onMessage } from './on-message.js';
import { onRetry, onValidated } from './on-proposal.js';
import { endPause } from './own-echo.js';
import { rememberValid } from './preparing.js';
import { tryPropose } from './proposing.js';
import { changeRound, endRound } from './rounds.js';
import type { MachineState } from './state.js';
import { Transition, type MachineIdentity } from './transition.js';

/**
 * The state machine of a validator. Pure; QBFT's rules for both header formats (docs/adr/0030).
 *
 * State × event; `·` is ignored, as are all messages of older heights or rounds. S(r) is "enter round r, start its
 * timer, send ROUND-CHANGE(r) with the newest certificate, propose if it is this validator's turn and a quorum came".
 * E is S(round + 1) when the round is 0 or a quorum announced it, else "send ROUND-CHANGE(round) once more".
 *
 * | Event                  | idle | observing | awaiting            | validating | preprepared  | prepared | decided | committed |
 * | ---------------------- | ---- | --------- | ------------------- | ---------- | ------------ | -------- | ------- | --------- |
 * | head                   | begin the height: awaiting, or observing when not a validator or silent; continue from the record |
 * | candidate              | ·    | ·         | keep, propose if it is our turn | keep | keep   | keep     | keep    | ·         |
 * | PRE-PREPARE, the round | ·    | ·         | check → validating  | second one: report equivocation |      |         | ·         |
 * | PRE-PREPARE, later     | ·    | ·         | justified: enter the round, check → validating |         | likewise | likewise | ·         |
 * | validated: valid       | ·    | ·         | ·                   | send PREPARE → preprepared | · | ·    | ·       | ·         |
 * | validated: invalid     | ·    | ·         | ·                   | report, wait for the timer | · | ·    | ·       | ·         |
 * | validated: too early   | ·    | ·         | ·                   | start retry timer | ·     | ·        | ·       | ·         |
 * | PREPARE                | ·    | ·         | keep                | keep       | quorum: certificate, send COMMIT → prepared | keep | keep | · |
 * | COMMIT                 | ·    | ·         | keep                | keep       | quorum: commit → committed (IBFT: send SEAL → decided) | likewise | keep | · |
 * | SEAL (IBFT)            | ·    | ·         | keep; quorum over a decided block: commit → committed | likewise | likewise | likewise | likewise | · |
 * | ROUND-CHANGE, older    | ·    | ·         | answer the sender with our own                                   | likewise | likewise | likewise | · |
 * | ROUND-CHANGE, the round | ·   | ·         | keep; quorum: start the timer, propose if it is our turn | keep | keep   | keep     | keep    | ·         |
 * | ROUND-CHANGE, later    | ·    | ·         | keep; F+1 above: S(lowest of them) | likewise | likewise | likewise | likewise | · |
 * | timer round            | ·    | ·         | S(round + 1)        | S(round + 1) | S(round + 1) | S(round + 1) | S(round + 1) | · |
 * | timer retry            | ·    | ·         | ·                   | check again | ·           | ·        | ·       | ·         |
 * | work                   | ·    | ·         | end the delay of an empty block | · | ·         | ·        | ·       | ·         |
 * | insertion failed       | ·    | ·         | ·                   | ·          | ·            | ·        | ·       | S(round + 1) |
 *
 * Messages of the next two heights are kept for them in every state but idle. A message under this validator's own
 * signature that it did not send leads to observing, for the time of a round; then S(above it).
 */
export function step(
  identity: MachineIdentity,
  state: MachineState,
  event: MachineEvent,
): { readonly state: MachineState; readonly effects: readonly Effect[] } {
  const transition = new Transition(identity, state);
  if (event.type === 'head') {
    for (const message of beginHeight(transition, event.context, event.atMs)) onMessage(transition, message);
  } else if (state.height !== undefined) {
    handle(transition, event);
  }
  return { state: transition.state, effects: transition.effects() };
}

function handle(transition: Transition, event: Exclude<MachineEvent, { type: 'head' }>): void {
  if (event.type === 'message') return onMessage(transition, event.message);
  if (transition.state.phase === 'observing') return onPauseTimer(transition, event);
  if (event.type === 'work') return onWork(transition, event.atMs);
  if (event.height !== transition.height.height) return;
  switch (event.type) {
    case 'timer':
      return onTimer(transition, event);
    case 'candidate':
      return onCandidate(transition, event.block);
    case 'validated':
      return onValidated(transition, event.digest, event.verdict);
    case 'insertionFailed':
      if (transition.state.phase === 'committed') changeRound(transition, transition.state.round + 1);
  }
}

/** While it observes, only the end of a pause matters. */
function onPauseTimer(transition: Transition, event: Exclude<MachineEvent, { type: 'head' }>): void {
  const { foreignRound } = transition.state;
  const isDue =
    event.type === 'timer' && event.timer === 'round' && event.height === transition.height.height;
  if (isDue && foreignRound !== undefined) endPause(transition);
}

function onTimer(transition: Transition, { timer, round }: Extract<MachineEvent, { type: 'timer' }>): void {
  if (round !== transition.state.round || transition.state.phase === 'committed') return;
  if (timer === 'retry') onRetry(transition);
  else endRound(transition);
}

function onCandidate(transition: Transition, block: ProposedBlock | undefined): void {
  if (transition.state.phase === 'committed') return;
  if (block === undefined) return transition.set({ candidateRequested: false });
  const { height, parentHash } = transition.height;
  const fits =
    block.header.number === height &&
    block.header.parentHash === parentHash &&
    block.author === transition.identity.address;
  if (!fits) return;
  // Building the block executed it.
  rememberValid(transition, block.hash);
  transition.set({ candidate: block });
  tryPropose(transition);
}
