import type { CallRequest, CallTraceOptions, TraceOptions, debugTraceMethods } from '@tetrad/api-node';
import type { Simulation } from '@tetrad/node-execution';
import { minedAt, type Ledger } from '@tetrad/node-ledger';
import { BlockResolver } from '@tetrad/node-queries';
import { TraceBudget } from './tracing/trace-budget.js';
import type { StructForm } from './tracing/struct-log.js';
import type { TraceSubject } from './tracing/run-recorded.js';
import type { ResultOf } from '@tetrad/rpc';
import { RequestError, type Block, type Hash } from '@tetrad/types';
import type { Admission } from './execution-gate.js';
import { recordTrace } from './record-trace.js';
import { replayBothUpTo, replayUpTo, type ReplayParts } from './replay.js';
import { boundedRecording, subjectOf, transactionsOf } from './trace-subject.js';
import { Simulator, type SimulationLimits, type SimulationParts } from './simulator.js';

/** The result of a tracer; the codec's type loses the recursion of frames, which are plain objects all the way down. */
export type TraceResult = ResultOf<(typeof debugTraceMethods)['debug_traceCall']>;

/** Bounds of one trace. */
export interface TraceLimits extends SimulationLimits {
  /** Steps of one execution. */
  readonly traceSteps: number;
}

interface TracerParts extends SimulationParts, Omit<ReplayParts, 'ledger'> {
  readonly ledger: Ledger;
  readonly limits: TraceLimits;
  /** How steps are written for the clients of this node. */
  readonly structForm: StructForm;
}

/** Executes transactions and calls with a recorder, within the limits of `ExecutionGate`. */
export class Tracer {
  private readonly blocks: BlockResolver;
  private readonly simulator: Simulator;

  constructor(private readonly parts: TracerParts) {
    this.blocks = new BlockResolver(parts);
    this.simulator = new Simulator(parts);
  }

  /**
   * Every transaction of a block.
   * @throws as `traceTransaction`
   */
  traceBlock(
    reference: Parameters<BlockResolver['get']>[0],
    options: TraceOptions,
    signal: AbortSignal,
  ): Promise<{ txHash: Hash; result: TraceResult }[]> {
    return this.parts.executions.run(signal, async (admission) =>
      this.traceAll(await this.blocks.get(reference), options, admission),
    );
  }

  /**
   * A mined transaction, after those before it in its block.
   * @throws RequestError TRANSACTION_NOT_FOUND, BLOCK_NOT_FOUND, RESPONSE_TOO_LARGE, EXECUTION_FAILED; as `replayUpTo`
   *   and `ExecutionGate`
   */
  traceTransaction(hash: Hash, options: TraceOptions, signal: AbortSignal): Promise<TraceResult> {
    return this.parts.executions.run(signal, async (admission) => {
      const { ledger } = this.parts;
      const mined = await ledger.findTransaction(hash);
      if (mined === undefined) throw new RequestError('TRANSACTION_NOT_FOUND', 'transaction not found');
      const block = await ledger.findBlock(mined.position.blockNumber);
      if (block === undefined) throw new RequestError('BLOCK_NOT_FOUND', 'header not found');
      const index = mined.position.transactionIndex;
      const replayed = await replayBothUpTo(this.parts, block, { index, admission });
      const { world, context } = replayed;
      const simulation = { executor: ledger.executor, block: context, world, ...admission };
      const { transaction } = minedAt(block, index) ?? mined;
      return this.run(simulation, await subjectOf(replayed, transaction), options);
    });
  }

  /**
   * A call on top of a block, or between two transactions of it.
   * @throws as `traceTransaction`
   */
  traceCall(
    request: CallRequest,
    reference: Parameters<BlockResolver['simulation']>[0],
    { signal, ...options }: CallTraceOptions & { readonly signal: AbortSignal },
  ): Promise<TraceResult> {
    return this.parts.executions.run(signal, async (admission) => {
      const simulation = await this.simulator.prepare(request, {
        reference,
        overrides: options.stateOverrides ?? undefined,
        blockOverrides: options.blockOverrides ?? undefined,
        base: await this.startOf(reference, options.txIndex, admission),
      });
      const { structForm } = this.parts;
      const { answerBytes, traceSteps } = this.parts.limits;
      const message = { ...request, gas: this.simulator.gasOf(request) };
      return this.bounded(
        this.parts.runner.run(
          { ...simulation, ...admission },
          {
            kind: 'trace',
            request: message,
            options: recordingOptions(options),
            answerBytes,
            traceSteps,
            structForm,
          },
        ),
      );
    });
  }

  /** The state for a call that is to run between two transactions of a block; undefined for any other call. */
  private async startOf(
    reference: Parameters<BlockResolver['simulation']>[0],
    txIndex: CallTraceOptions['txIndex'],
    admission: Admission,
  ) {
    if (txIndex === undefined || txIndex === null) return undefined;
    const block = await this.blocks.get(reference ?? 'latest');
    const { world, context } = await replayUpTo(this.parts.ledger, block, { index: txIndex, admission });
    return { world, block: context, privateNumber: block.header.number - 1 };
  }

  /** Runs the transactions of the block one after the other, each with a recorder. */
  private async traceAll(
    block: Block,
    options: TraceOptions,
    admission: Admission,
  ): Promise<{ txHash: Hash; result: TraceResult }[]> {
    const budget = new TraceBudget(this.parts.limits.answerBytes);
    const traces: { txHash: Hash; result: TraceResult }[] = [];
    for await (const { transaction, simulation, subject } of transactionsOf(this.parts, block, admission)) {
      const result = await this.run(simulation, subject, options, budget);
      traces.push({ txHash: transaction.hash, result });
    }
    return traces;
  }

  private run(
    simulation: Simulation,
    subject: TraceSubject,
    options: TraceOptions,
    budget = new TraceBudget(this.parts.limits.answerBytes),
  ): Promise<TraceResult> {
    const { limits, structForm } = this.parts;
    const { traceSteps } = limits;
    return this.bounded(recordTrace(simulation, subject, { options, budget, traceSteps, structForm }));
  }

  /** @throws as `boundedRecording` */
  private async bounded(recording: Promise<unknown>): Promise<TraceResult> {
    return (await boundedRecording(recording, this.parts.limits.answerBytes)) as TraceResult;
  }
}

/** The options of the recorder; overrides are already applied to the world. */
function recordingOptions(options: TraceOptions): TraceOptions {
  const { tracer, tracerConfig, limit } = options;
  const { disableStack, disableStorage, disableMemory, enableMemory, enableReturnData } = options;
  const shown = { disableStack, disableStorage, disableMemory, enableMemory, enableReturnData };
  return { tracer, tracerConfig, limit, ...shown };
}
