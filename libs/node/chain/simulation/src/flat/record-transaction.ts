import { stageOf, type Simulation } from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import { RequestError, type Block, type Hash } from '@tetrad/types';
import type { Admission } from '../execution-gate.js';
import { replayBothUpTo, type ReplayParts } from '../replay.js';
import { boundedRecording, subjectOf } from '../trace-subject.js';
import type { TraceSubject } from '../tracing/run-recorded.js';
import { TraceBudget } from '../tracing/trace-budget.js';
import { recordFlat, type FlatRecord, type RecordFlatOptions } from './record-flat.js';

/** What mined transactions are replayed with. */
export interface RecordingParts extends Omit<ReplayParts, 'ledger'> {
  readonly ledger: Pick<Ledger, 'executor' | 'findBlock' | 'findTransaction' | 'genesis' | 'replay'>;
  /** Bytes of one answer. */
  readonly limits: { readonly answerBytes: number };
}

export interface RecordedTransaction {
  readonly block: Block;
  readonly index: number;
  readonly record: FlatRecord;
  /** What is left for the answer. */
  readonly budget: TraceBudget;
}

/**
 * Executes a mined transaction again, after those before it in its block; undefined when it is unknown.
 * @throws RequestError BLOCK_NOT_FOUND; as `replayBothUpTo` and `recordSubject`
 */
export async function recordTransaction(
  parts: RecordingParts,
  hash: Hash,
  options: {
    readonly admission: Admission;
    readonly withState: boolean;
    readonly withOpcodes?: boolean;
  },
): Promise<RecordedTransaction | undefined> {
  const { admission, withState, withOpcodes = false } = options;
  const { ledger, limits } = parts;
  const mined = await ledger.findTransaction(hash);
  if (mined === undefined) return undefined;
  const { blockNumber, transactionIndex: index } = mined.position;
  const block = await ledger.findBlock(blockNumber);
  const transaction = block?.transactions[index];
  if (block === undefined || transaction === undefined)
    throw new RequestError('BLOCK_NOT_FOUND', 'header not found');
  const replayed = await replayBothUpTo(parts, block, { index, admission });
  const { world, context } = replayed;
  const simulation = { executor: ledger.executor, block: context, world, ...admission };
  const budget = new TraceBudget(limits.answerBytes);
  const subject = await subjectOf(replayed, transaction);
  const opcodesOf = withOpcodes ? index : undefined;
  const record = await recordSubject(simulation, subject, { budget, withState, limits, opcodesOf });
  return { block, index, record, budget };
}

/**
 * As `recordFlat`, with errors for clients.
 * @throws as `boundedRecording`
 */
export function recordSubject(
  simulation: Simulation,
  subject: TraceSubject,
  { limits, ...options }: RecordFlatOptions & Pick<RecordingParts, 'limits'>,
): Promise<FlatRecord> {
  return boundedRecording(recordFlat(stageOf(simulation), subject, options), limits.answerBytes);
}
