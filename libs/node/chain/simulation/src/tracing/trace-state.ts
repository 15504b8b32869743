import { wordFromAddress } from '@tetrad/node-evm';
import type { Address } from '@tetrad/types';
import { runRecorded, senderOf, type Stage, type TraceSubject } from './run-recorded.js';
import { stateDifference } from './state-difference.js';
import { StateRecorder } from './state-recorder.js';
import type { TraceBudget } from './trace-budget.js';
import {
  show,
  type StateTrace,
  type TracedAccount,
  type TracedAccounts,
  type WholeAccounts,
} from './traced-account.js';

export interface StateTraceOptions {
  readonly diffMode: boolean;
  readonly budget: TraceBudget;
}

/**
 * Executes the subject and returns the state that it needs, as geth's `prestateTracer`. The world is changed.
 * @throws TraceTooLargeError; as `runRecorded`
 */
export async function traceState(
  stage: Stage,
  subject: TraceSubject,
  { diffMode, budget }: StateTraceOptions,
): Promise<StateTrace> {
  const recorder = recorderOf(stage, subject, budget);
  await runRecorded(stage, subject, recorder);
  const { pre, post } = await recorder.read();
  return diffMode ? stateDifference(pre, post) : prestate(pre, recorder.created);
}

/** A recorder that has noted the accounts which every transaction touches: its own, and those of the block. */
export function recorderOf(stage: Stage, subject: TraceSubject, budget: TraceBudget): StateRecorder {
  const recorder = new StateRecorder(stage.world, budget);
  recorder.account(wordFromAddress(senderOf(subject)));
  if (subject.to !== undefined) recorder.account(wordFromAddress(subject.to));
  const { coinbase, feeRecipient = coinbase } = stage.context.block;
  recorder.account(coinbase);
  recorder.account(feeRecipient);
  return recorder;
}

function prestate(pre: WholeAccounts, created: ReadonlySet<Address>): TracedAccounts {
  const accounts = new Map<Address, TracedAccount>();
  for (const [address, account] of pre) {
    // Accounts that the execution creates are not part of the state before it.
    if (account === undefined && created.has(address)) continue;
    accounts.set(address, show(account));
  }
  return accounts;
}
