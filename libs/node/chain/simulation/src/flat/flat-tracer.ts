import type {
  BlockReference,
  FlatTrace,
  PlacedTrace,
  ReplayedTransaction,
  TraceCriteria,
} from '@tetrad/api-node';
import type { Ledger } from '@tetrad/node-ledger';
import { BlockFinder } from '@tetrad/node-queries';
import type { Block, Hash } from '@tetrad/types';
import { assertAdmitted, type Admission, type ExecutionGate } from '../execution-gate.js';
import { boundedRecording, transactionsOf } from '../trace-subject.js';
import { TraceBudget } from '../tracing/trace-budget.js';
import { blocksToTrace, type BlocksByAddress } from './blocks-to-trace.js';
import { findTraces, rangeOf } from './find-traces.js';
import { flattenFrames } from './flatten-frames.js';
import type { FlatRecord } from './record-flat.js';
import { recordSubject, recordTransaction, type RecordingParts } from './record-transaction.js';

/** Bounds of flat traces. */
export interface FlatTraceLimits {
  /** Bytes of one answer. */
  readonly answerBytes: number;
  /** Blocks of one search that are executed. */
  readonly traceBlocks: number;
}

interface FlatTracerParts extends RecordingParts {
  readonly ledger: Ledger;
  readonly executions: ExecutionGate;
  readonly limits: FlatTraceLimits;
  /** Absent on a node without an index by address. */
  readonly blockIndex: BlocksByAddress | undefined;
}

/** Which parts of an execution are recorded. */
export type TraceType = 'trace' | 'stateDiff' | 'vmTrace';

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
      const recorded = await recordTransaction(this.parts, hash, { admission, withState: false });
      if (recorded === undefined) return undefined;
      const { block, index, record, budget } = recorded;
      return (await this.flatten(record, budget)).map(placedIn(block, { hash, index }));
    });
  }

  /**
   * A mined transaction with what the types name; undefined when it is unknown.
   * @throws as `traceTransaction`
   */
  replayTransaction(
    hash: Hash,
    types: readonly TraceType[],
    signal: AbortSignal,
  ): Promise<ReplayedTransaction | undefined> {
    return this.parts.executions.run(signal, async (admission) => {
      const withState = types.includes('stateDiff');
      const withOpcodes = types.includes('vmTrace');
      const recorded = await recordTransaction(this.parts, hash, { admission, withState, withOpcodes });
      return recorded && this.show(hash, recorded.record, { types, budget: recorded.budget });
    });
  }

  /**
   * The calls of all transactions of a block and its reward; none of genesis.
   * @throws as `traceTransaction`
   */
  traceBlock(reference: BlockReference, signal: AbortSignal): Promise<PlacedTrace[]> {
    return this.parts.executions.run(signal, async (admission) =>
      this.tracesOf(await this.blocks.get(reference), admission),
    );
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
    const { executions, limits } = this.parts;
    return executions.run(signal, async (admission) => {
      const block = await this.blocks.get(reference);
      const replayed: ReplayedTransaction[] = [];
      if (block.transactions.length === 0) return replayed;
      const budget = new TraceBudget(limits.answerBytes);
      const withState = types.includes('stateDiff');
      for await (const traced of transactionsOf(this.parts, block, admission)) {
        const { transaction, index, subject, simulation } = traced;
        const opcodesOf = types.includes('vmTrace') ? index : undefined;
        const record = await recordSubject(simulation, subject, { budget, withState, limits, opcodesOf });
        replayed.push(await this.show(transaction.hash, record, { types, budget }));
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
    return executions.run(signal, async (admission) => {
      const range = rangeOf(criteria, ledger.head().header.number);
      const { blockIndex: index } = this.parts;
      const assertGoesOn = () => assertAdmitted(admission);
      const source = { index, rules: ledger.rules, most: limits.traceBlocks, assertGoesOn };
      return findTraces(criteria, await blocksToTrace(criteria, range, source), {
        limits,
        tracesOf: async (number) => this.tracesOf(await this.blocks.get(number), admission),
      });
    });
  }

  private async tracesOf(block: Block, admission: Admission): Promise<PlacedTrace[]> {
    const { limits } = this.parts;
    const traces: PlacedTrace[] = [];
    if (block.header.number === 0) return traces;
    const budget = new TraceBudget(limits.answerBytes);
    if (block.transactions.length > 0) {
      for await (const traced of transactionsOf(this.parts, block, admission)) {
        const { transaction, index, subject, simulation } = traced;
        const record = await recordSubject(simulation, subject, { budget, withState: false, limits });
        const place = placedIn(block, { hash: transaction.hash, index });
        for (const trace of await this.flatten(record, budget)) traces.push(place(trace));
      }
    }
    traces.push(...this.rewardOf(block));
    return traces;
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

  private async show(
    transactionHash: Hash,
    record: FlatRecord,
    { types, budget }: { readonly types: readonly TraceType[]; readonly budget: TraceBudget },
  ): Promise<ReplayedTransaction> {
    const { output, stateDiff = null, vmTrace = null } = record;
    const trace = types.includes('trace') ? await this.flatten(record, budget) : [];
    return { output, stateDiff, trace, vmTrace, transactionHash };
  }

  private flatten({ top }: FlatRecord, budget: TraceBudget): Promise<FlatTrace[]> {
    const flattened = Promise.resolve().then(() => flattenFrames(top, budget));
    return boundedRecording(flattened, this.parts.limits.answerBytes);
  }
}

function placedIn(
  { hash: blockHash, header }: Block,
  { hash: transactionHash, index: transactionPosition }: { readonly hash: Hash; readonly index: number },
): (trace: FlatTrace) => PlacedTrace {
  const place = { blockHash, blockNumber: header.number, transactionHash, transactionPosition };
  return (trace) => ({ ...trace, ...place });
}
