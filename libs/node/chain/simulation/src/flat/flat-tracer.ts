import type {
  BlockReference,
  FlatTrace,
  PlacedTrace,
  ReplayedTransaction,
  TraceCriteria,
} from '@tetrad/api-node';
import type { Simulation } from '@tetrad/node-execution';
import { stageOf } from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import { BlockFinder } from '@tetrad/node-queries';
import { RequestError, type Block, type Hash } from '@tetrad/types';
import type { Admission, ExecutionGate } from '../execution-gate.js';
import { replayBothUpTo, type ReplayParts } from '../replay.js';
import { boundedRecording, subjectOf, transactionsOf } from '../trace-subject.js';
import type { TraceSubject } from '../tracing/run-recorded.js';
import { TraceBudget } from '../tracing/trace-budget.js';
import { findTraces, rangeOf } from './find-traces.js';
import { recordFlat, type FlatRecord } from './record-flat.js';

/** Bounds of flat traces. */
export interface FlatTraceLimits {
  /** Bytes of one answer. */
  readonly answerBytes: number;
  /** Blocks of one search. */
  readonly traceBlocks: number;
}

interface FlatTracerParts extends Omit<ReplayParts, 'ledger'> {
  readonly ledger: Ledger;
  readonly executions: ExecutionGate;
  readonly limits: FlatTraceLimits;
}

/** Which parts of an execution are recorded. */
export type TraceType = 'trace' | 'stateDiff';

/** Executes mined transactions again and lists their calls, within the limits of `ExecutionGate`. */
export class FlatTracer {
  private readonly blocks: BlockFinder;

  constructor(private readonly parts: FlatTracerParts) {
    this.blocks = new BlockFinder(parts.ledger);
  }

  /**
   * The calls of a mined transaction; undefined when it is unknown.
   * @throws RequestError BLOCK_NOT_FOUND, RESPONSE_TOO_LARGE; as `replayBothUpTo` and `ExecutionGate`
   */
  traceTransaction(hash: Hash, signal: AbortSignal): Promise<PlacedTrace[] | undefined> {
    return this.parts.executions.run(signal, async (admission) => {
      const mined = await this.parts.ledger.findTransaction(hash);
      if (mined === undefined) return undefined;
      const { blockNumber, transactionIndex: index } = mined.position;
      const block = await this.blocks.get(blockNumber);
      const { trace } = await this.recordOne(block, index, admission);
      return trace.map(placedIn(block, { hash, index }));
    });
  }

  /**
   * The calls of all transactions of a block and its reward; none of genesis.
   * @throws as `traceTransaction`
   */
  traceBlock(reference: BlockReference, signal: AbortSignal): Promise<PlacedTrace[]> {
    return this.parts.executions.run(signal, async (admission) => {
      const block = await this.blocks.get(reference);
      return this.tracesOf(block, admission, new TraceBudget(this.parts.limits.answerBytes));
    });
  }

  /**
   * All transactions of a block, with what the types name; none of genesis.
   * @throws as `traceTransaction`
   */
  replayBlock(
    reference: BlockReference,
    types: readonly TraceType[],
    signal: AbortSignal,
  ): Promise<ReplayedTransaction[]> {
    return this.parts.executions.run(signal, async (admission) => {
      const block = await this.blocks.get(reference);
      const replayed: ReplayedTransaction[] = [];
      if (block.transactions.length === 0) return replayed;
      const budget = new TraceBudget(this.parts.limits.answerBytes);
      const withState = types.includes('stateDiff');
      for await (const { transaction, subject, simulation } of transactionsOf(this.parts, block, admission)) {
        const { output, trace, stateDiff } = await this.record(simulation, subject, { budget, withState });
        replayed.push({
          output,
          stateDiff: stateDiff ?? null,
          trace: types.includes('trace') ? trace : [],
          vmTrace: null,
          transactionHash: transaction.hash,
        });
      }
      return replayed;
    });
  }

  /**
   * The entries of a range of blocks that match, in the order of the chain.
   * @throws RequestError INVALID_TRACE_RANGE, TRACE_LIMIT_EXCEEDED; as `traceTransaction`
   */
  filter(criteria: TraceCriteria, signal: AbortSignal): Promise<PlacedTrace[]> {
    const { executions, ledger, limits } = this.parts;
    return executions.run(signal, (admission) => {
      const range = rangeOf(criteria, { head: ledger.head().header.number, most: limits.traceBlocks });
      return findTraces(criteria, range, {
        limits,
        // What does not match is recorded too, and dropped after each block.
        tracesOf: async (number) =>
          this.tracesOf(await this.blocks.get(number), admission, new TraceBudget(limits.answerBytes)),
      });
    });
  }

  private async tracesOf(block: Block, admission: Admission, budget: TraceBudget): Promise<PlacedTrace[]> {
    const traces: PlacedTrace[] = [];
    if (block.header.number === 0) return traces;
    if (block.transactions.length > 0) {
      for await (const traced of transactionsOf(this.parts, block, admission)) {
        const { transaction, index, subject, simulation } = traced;
        const { trace } = await this.record(simulation, subject, { budget, withState: false });
        const place = placedIn(block, { hash: transaction.hash, index });
        for (const one of trace) traces.push(place(one));
      }
    }
    return [...traces, ...this.rewardOf(block)];
  }

  private rewardOf({ hash, header }: Block): PlacedTrace[] {
    const { ledger } = this.parts;
    const reward = ledger.rules.rewardOf(ledger.contextOf(header));
    if (reward === undefined) return [];
    const { beneficiary: author, wei: value } = reward;
    const action = { author, rewardType: 'block', value } as const;
    const members = { result: null, subtraces: 0, traceAddress: [] };
    return [{ type: 'reward', action, ...members, blockHash: hash, blockNumber: header.number }];
  }

  private async recordOne(block: Block, index: number, admission: Admission): Promise<FlatRecord> {
    const { ledger, limits } = this.parts;
    const replayed = await replayBothUpTo(this.parts, block, { index, admission });
    const { world, context } = replayed;
    const transaction = block.transactions[index];
    if (transaction === undefined) throw new RequestError('BLOCK_NOT_FOUND', 'header not found');
    const simulation = { executor: ledger.executor, block: context, world, ...admission };
    const subject = await subjectOf(replayed, transaction);
    const budget = new TraceBudget(limits.answerBytes);
    return this.record(simulation, subject, { budget, withState: false });
  }

  private record(
    simulation: Simulation,
    subject: TraceSubject,
    options: { readonly budget: TraceBudget; readonly withState: boolean },
  ): Promise<FlatRecord> {
    return boundedRecording(recordFlat(stageOf(simulation), subject, options), this.parts.limits.answerBytes);
  }
}

function placedIn(
  { hash: blockHash, header }: Block,
  { hash: transactionHash, index: transactionPosition }: { readonly hash: Hash; readonly index: number },
): (trace: FlatTrace) => PlacedTrace {
  const place = { blockHash, blockNumber: header.number, transactionHash, transactionPosition };
  return (trace) => ({ ...trace, ...place });
}
