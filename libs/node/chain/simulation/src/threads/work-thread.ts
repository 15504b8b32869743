import { ExecutionAbortedError, supplyOf, type Simulation } from '@tetrad/node-execution';
import { RequestError } from '@tetrad/types';
import type { Work, WorkKind, WorkResult } from '../client-work.js';
import { errorFrom, type BlockFields, type FromThread, type ToThread } from './messages.js';

/** A thread that runs `serveWork`; `node:worker_threads` in a running service. */
export interface ThreadPort {
  post(message: ToThread): void;
  onMessage(listener: (message: FromThread) => void): void;
  /** Calls the listener once when the thread has ended, for whatever reason. */
  onEnd(listener: (reason: Error) => void): void;
  stop(): Promise<unknown>;
}

/** The end of a work; `lost` when its thread ended first. */
export type WorkOutcome = 'done' | 'failed' | 'aborted' | 'lost';

export interface WorkThreadOptions {
  readonly onOutcome: (outcome: WorkOutcome) => void;
  /** Called for each request of state, with the number of entries in it. */
  readonly onReads: (reads: number) => void;
  readonly onEnd: (thread: WorkThread, reason: Error) => void;
  /** Milliseconds after an abort message in which the thread must end the work; otherwise the thread is terminated. */
  readonly abortTimeoutMs: number;
}

interface Pending {
  readonly simulation: Simulation;
  readonly end: (outcome: WorkOutcome, settle: () => void) => void;
  readonly done: (result: WorkResult) => void;
  readonly fail: (error: unknown) => void;
}

/** The main thread's side of one thread: sends it work, and reads the state that the work requests. */
export class WorkThread {
  private readonly pending = new Map<number, Pending>();
  /** Aborted works that the thread has not confirmed, with the timer that terminates the thread. */
  private readonly stopping = new Map<number, NodeJS.Timeout>();
  private nextId = 0;

  constructor(
    private readonly port: ThreadPort,
    private readonly options: WorkThreadOptions,
  ) {
    port.onMessage((message) => this.receive(message));
    port.onEnd((reason) => this.lose(reason));
  }

  /** Number of works that the thread has. */
  get load(): number {
    return this.pending.size + this.stopping.size;
  }

  /**
   * @throws as `WorkRunner`; RequestError EXECUTION_FAILED when the thread ends first; what reading the state fails
   *   with
   */
  run<Kind extends WorkKind>(simulation: Simulation, work: Work<Kind>): Promise<WorkResult<Kind>> {
    const id = this.nextId++;
    const { signal } = simulation;
    return new Promise((done, fail) => {
      const abort = () => this.abort(id, new ExecutionAbortedError('execution aborted'));
      if (signal?.aborted === true) return fail(new ExecutionAbortedError('execution aborted'));
      signal?.addEventListener('abort', abort, { once: true });
      const end: Pending['end'] = (outcome, settle) => {
        this.pending.delete(id);
        signal?.removeEventListener('abort', abort);
        this.options.onOutcome(outcome);
        settle();
      };
      this.pending.set(id, { simulation, end, done: done as (result: WorkResult) => void, fail });
      this.port.post({ id, kind: 'run', work: work as Work, ...contextOf(simulation) });
    });
  }

  /** Ends all its work with ExecutionAbortedError, and then the thread. */
  async stop(): Promise<void> {
    for (const id of this.pending.keys()) this.abort(id, new ExecutionAbortedError('execution aborted'));
    await this.port.stop();
  }

  /** Rejects the caller's promise at once, before the thread has stopped the work. */
  private abort(id: number, error: Error): void {
    const pending = this.pending.get(id);
    if (pending === undefined) return;
    this.stopping.set(id, setTimeout(() => void this.port.stop(), this.options.abortTimeoutMs).unref());
    this.port.post({ id, kind: 'abort' });
    pending.end('aborted', () => pending.fail(error));
  }

  private receive(message: FromThread): void {
    const { id } = message;
    const pending = this.pending.get(id);
    if (message.kind === 'done' || message.kind === 'failed') {
      clearTimeout(this.stopping.get(id));
      this.stopping.delete(id);
    }
    if (pending === undefined) return;
    const { end, done, fail } = pending;
    if (message.kind === 'done') end('done', () => done(message.result));
    else if (message.kind === 'failed') end('failed', () => fail(errorFrom(message.failure)));
    else void this.answer(id, pending, message);
  }

  private async answer(
    id: number,
    { simulation }: Pending,
    message: Extract<FromThread, { kind: 'missing' | 'long' }>,
  ): Promise<void> {
    try {
      const answer = await answerTo(simulation, message);
      if (message.kind === 'missing') this.options.onReads(message.missing.length);
      if (this.pending.has(id)) this.port.post({ id, ...answer });
    } catch (error) {
      this.abort(id, error as Error);
    }
  }

  private lose(reason: Error): void {
    for (const timer of this.stopping.values()) clearTimeout(timer);
    this.stopping.clear();
    const lost = new RequestError('EXECUTION_FAILED', `the execution's thread ended: ${reason.message}`);
    for (const { end, fail } of this.pending.values()) end('lost', () => fail(lost));
    this.options.onEnd(this, reason);
  }
}

async function answerTo(simulation: Simulation, message: Extract<FromThread, { kind: 'missing' | 'long' }>) {
  if (message.kind === 'missing')
    return { kind: 'supply', supplied: await supplyOf(simulation, message.missing) } as const;
  await simulation.onLong?.();
  return { kind: 'goOn' } as const;
}

/** The fields of the block and the rules in force for it. */
function contextOf({ block, executor }: Simulation) {
  const { fork, maxCodeSize, maxTransactionGas, block: view } = executor.context(block);
  const { number, timestamp, proposer, gasLimit, difficulty, mixHash } = block;
  const { evmTimestamp, baseFeePerGas, blobBaseFee, feeRecipient } = block;
  const fields: BlockFields = {
    number,
    timestamp,
    proposer,
    gasLimit,
    difficulty,
    mixHash,
    ...(evmTimestamp === undefined ? {} : { evmTimestamp }),
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    ...(blobBaseFee === undefined ? {} : { blobBaseFee }),
    ...(feeRecipient === undefined ? {} : { feeRecipient }),
  };
  return { block: fields, rules: { fork, maxCodeSize, maxTransactionGas, chainId: BigInt(view.chainId) } };
}
