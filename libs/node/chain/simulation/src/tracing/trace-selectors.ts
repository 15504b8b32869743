import type { AnsweredMessage, Frame, FrameOutcome, StepListener } from '@tetrad/node-evm';
import { hexFromBytes } from '@tetrad/types';
import { runRecorded, type Stage, type TraceSubject } from './run-recorded.js';
import type { TraceBudget } from './trace-budget.js';

/** `0x` and 4 bytes, `-`, bytes of the arguments → how often, as geth's `4byteTracer` gives it. */
export type SelectorCounts = Readonly<Record<string, number>>;

const SELECTOR_BYTES = 4;
const ENTRY_BYTES = 40;

/**
 * Executes the subject and counts the functions that are called, by selector and size of the arguments.
 * @throws TraceTooLargeError; as `runRecorded`
 */
export async function traceSelectors(
  stage: Stage,
  subject: TraceSubject,
  budget: TraceBudget,
): Promise<SelectorCounts> {
  const recorder = new SelectorRecorder(budget);
  await runRecorded(stage, subject, recorder);
  return Object.fromEntries(recorder.counts);
}

class SelectorRecorder implements StepListener {
  readonly counts = new Map<string, number>();

  constructor(private readonly budget: TraceBudget) {}

  enter({ depth, isCreation, input, code }: Frame): void {
    // Below the top, creations and calls of precompiles are not function calls.
    if (depth === 0) this.count(isCreation ? code.bytes : input);
    else if (!isCreation) this.count(input);
  }

  answered({ depth, kind, input, isPrecompile }: AnsweredMessage, _outcome: FrameOutcome): void {
    const isCreation = kind === 'CREATE' || kind === 'CREATE2';
    if (depth === 0 || (!isCreation && !isPrecompile)) this.count(input);
  }

  private count(input: Uint8Array): void {
    if (input.length < SELECTOR_BYTES) return;
    const key = `${hexFromBytes(input.subarray(0, SELECTOR_BYTES))}-${input.length - SELECTOR_BYTES}`;
    const before = this.counts.get(key);
    if (before === undefined) this.budget.spend(ENTRY_BYTES);
    this.counts.set(key, (before ?? 0) + 1);
  }
}
