import { ExecutionAbortedError, type Simulation } from '@tetrad/node-execution';
import { RequestError } from '@tetrad/types';

export interface ExecutionLimits {
  /** Maximum duration of an execution in milliseconds, waiting included. */
  readonly timeoutMs: number;
  /** Maximum number of executions that run beyond a few milliseconds at a time; others are suspended. */
  readonly long: number;
  /** Maximum number of started executions at a time; others wait in a queue. */
  readonly begun: number;
  /** Maximum number of executions in that queue. */
  readonly waiting: number;
}

/** What an execution must observe: the signal that aborts it, and `onLong` before it continues as a long one. */
export type Admission = Required<Pick<Simulation, 'signal' | 'onLong'>>;

/**
 * Between two pieces of work, which may both be too short to look by themselves.
 * @throws ExecutionAbortedError
 */
export function assertAdmitted({ signal }: Admission): void {
  if (signal.aborted) throw new ExecutionAbortedError('execution aborted');
}

/**
 * Admits the executions of clients: calls, estimates and traces.
 *
 * Most take less than a millisecond, and run at once. Longer ones share few places, so that they neither delay the short
 * ones nor fill the memory with their state. Each execution is aborted after `timeoutMs`.
 */
export class ExecutionGate {
  private readonly begun: Places;
  private readonly long: Places;

  constructor(private readonly limits: ExecutionLimits) {
    this.begun = new Places(limits.begun, limits.waiting);
    this.long = new Places(limits.long, limits.begun);
  }

  /** Executions that have begun, and those that wait to begin. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.begun.inUse, waiting: this.begun.waiting };
  }

  /** @throws RequestError EXECUTION_TIMEOUT, TOO_MANY_CONCURRENT_REQUESTS; what the work throws */
  async run<T>(signal: AbortSignal | undefined, work: (admission: Admission) => Promise<T>): Promise<T> {
    const leave = await inTime(this.begun.enter(signal));
    const controller = new AbortController();
    const abort = () => controller.abort();
    const timer = setTimeout(abort, this.limits.timeoutMs);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort);
    let place: Promise<() => void> | undefined;
    const onLong = async () => void (await (place ??= this.long.enter(controller.signal)));
    try {
      return await inTime(work({ signal: controller.signal, onLong }));
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      // What waits for its place leaves the queue. Not after every execution: an abort makes an error with a stack, which
      // was 2 % of the CPU of a node that sends private transactions.
      if (place !== undefined) abort();
      place?.then(
        (leavePlace) => leavePlace(),
        () => undefined,
      );
      leave();
    }
  }
}

/** A semaphore of `count` places with a bounded first-in, first-out queue. */
class Places {
  private taken = 0;
  private readonly queue = new Set<() => void>();

  constructor(
    private readonly count: number,
    private readonly maxWaiting: number,
  ) {}

  get inUse(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /**
   * @returns a function that releases the place
   * @throws RequestError when too many wait; ExecutionAbortedError
   */
  async enter(signal: AbortSignal | undefined): Promise<() => void> {
    if (this.taken < this.count) this.taken++;
    else await this.wait(signal);
    return () => this.leave();
  }

  private wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.queue.size >= this.maxWaiting) {
      throw new RequestError('TOO_MANY_CONCURRENT_REQUESTS', 'too many executions at a time');
    }
    return new Promise((done, fail) => {
      const abort = () => {
        this.queue.delete(admit);
        fail(new ExecutionAbortedError('execution aborted'));
      };
      const admit = () => {
        signal?.removeEventListener('abort', abort);
        done();
      };
      if (signal?.aborted === true) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      this.queue.add(admit);
    });
  }

  /** Passes the place to the first in the queue. */
  private leave(): void {
    const [next] = this.queue;
    if (next === undefined) {
      this.taken--;
      return;
    }
    this.queue.delete(next);
    next();
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ExecutionAbortedError)
      throw new RequestError('EXECUTION_TIMEOUT', 'execution aborted (timeout)');
    throw error;
  }
}
