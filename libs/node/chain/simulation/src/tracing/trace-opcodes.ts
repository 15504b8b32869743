import type { Evm, Frame, StepListener } from '@tetrad/node-evm';
import { geth110NameOf } from './opcodes.js';
import { runRecorded, type Stage, type TraceSubject } from './run-recorded.js';
import type { TraceBudget } from './trace-budget.js';

/** Opcodes, or sequences of them joined by `-` → how often they were executed. */
export type OpcodeCounts = Readonly<Record<string, number>>;

/** Opcodes of a sequence. */
type SequenceLength = 1 | 2 | 3;

const ENTRY_BYTES = 60;

/**
 * Executes the subject and counts the opcodes, as GoQuorum's `opcountTracer` does. The world is changed.
 *
 * @returns opcodes that began, those that failed included
 * @throws as `runRecorded`
 */
export async function countOpcodes(stage: Stage, subject: TraceSubject): Promise<number> {
  let count = 0;
  await runRecorded(stage, subject, { step: () => void (count += 1) });
  return count;
}

/**
 * Executes the subject and counts sequences of opcodes, as GoQuorum's tracers `unigramTracer`, `bigramTracer` and
 * `trigramTracer` do. The world is changed.
 *
 * @param length - opcodes of a sequence
 * @throws TraceTooLargeError; as `runRecorded`
 */
export async function countSequences(
  stage: Stage,
  subject: TraceSubject,
  { length, budget }: { readonly length: SequenceLength; readonly budget: TraceBudget },
): Promise<OpcodeCounts> {
  const recorder = new RECORDERS[length](budget);
  await runRecorded(stage, subject, recorder);
  return Object.fromEntries(recorder.counts);
}

abstract class SequenceRecorder implements StepListener {
  readonly counts = new Map<string, number>();

  constructor(private readonly budget: TraceBudget) {}

  step({ rules }: Evm, { depth }: Frame, op: number): void {
    this.next(geth110NameOf(rules, op), depth);
  }

  protected abstract next(name: string, depth: number): void;

  protected count(sequence: string): void {
    const before = this.counts.get(sequence);
    if (before === undefined) this.budget.spend(ENTRY_BYTES);
    this.counts.set(sequence, (before ?? 0) + 1);
  }
}

class Unigrams extends SequenceRecorder {
  protected next(name: string): void {
    this.count(name);
  }
}

/** Of neighbours in one frame: the first opcode of a call, and the first after it, end no pair. */
class Bigrams extends SequenceRecorder {
  private last = '';
  private lastDepth = -1;

  protected next(name: string, depth: number): void {
    if (depth === this.lastDepth) this.count(`${this.last}-${name}`);
    this.last = name;
    this.lastDepth = depth;
  }
}

/** The first opcode of a call, and the first after it, are in none; the next two follow empty names. */
class Trigrams extends SequenceRecorder {
  private last: readonly [string, string] = ['', ''];
  private lastDepth = -1;

  protected next(name: string, depth: number): void {
    if (depth === this.lastDepth) {
      this.count(`${this.last[0]}-${this.last[1]}-${name}`);
      this.last = [this.last[1], name];
    } else {
      this.last = ['', ''];
      this.lastDepth = depth;
    }
  }
}

const RECORDERS = { 1: Unigrams, 2: Bigrams, 3: Trigrams } as const;
