import { availableParallelism, totalmem } from 'node:os';
import { startDerivationThread, type DerivationThread } from './derivation-thread.js';
import { derivationMemory, deriveKey, isWithinRfc7914, type KeyDerivation } from './key-derivation.js';

export interface DerivationThreadsOptions {
  /** Derivations at a time; default: one a core. */
  readonly threads?: number;
  /** Bytes that all derivations together may take; one alone may always run. Default: half of what there is. */
  readonly memory?: number;
  /** Injected by tests. */
  readonly startThread?: () => DerivationThread;
}

interface Waiting {
  readonly derivation: KeyDerivation;
  readonly password: Uint8Array;
  readonly memory: number;
  resolve(derived: Uint8Array): void;
  reject(error: unknown): void;
}

/**
 * Derives keys on all cores, each in a thread of its own: the process's thread pool stays free for files and name
 * look-ups, and its size, which only the environment can set, does not matter.
 *
 * Jobs run in the order they came. A thread starts when there is work for it and ends when it is idle, so that
 * nothing is held between loads.
 */
export class DerivationThreads {
  private readonly threads: number;
  private readonly memory: number;
  private readonly startThread: () => DerivationThread;
  private readonly idle: DerivationThread[] = [];
  private readonly queue: Waiting[] = [];
  private readonly busy = new Set<DerivationThread>();
  private isClosed = false;
  private memoryInUse = 0;

  constructor(options: DerivationThreadsOptions = {}) {
    this.threads = Math.max(1, options.threads ?? availableParallelism());
    this.memory = options.memory ?? availableMemory() / 2;
    this.startThread = options.startThread ?? startDerivationThread;
  }

  /** Ends all threads; waiting, running and later jobs fail. */
  close(): void {
    this.isClosed = true;
    for (const { reject } of this.queue.splice(0)) reject(closed());
    for (const thread of this.busy) void thread.stop();
    this.stopIdle();
  }

  /** As `deriveKey`; a function value, so that it can be passed on. */
  readonly derive = (derivation: KeyDerivation, password: Uint8Array): Promise<Uint8Array> => {
    if (this.isClosed) return Promise.reject(closed());
    if (!isWithinRfc7914(derivation)) return deriveKey(derivation, password);
    return new Promise((resolve, reject) => {
      this.queue.push({ derivation, password, memory: derivationMemory(derivation), resolve, reject });
      this.startNext();
    });
  };

  private startNext(): void {
    for (;;) {
      const next = this.queue[0];
      if (next === undefined || this.busy.size >= this.threads) break;
      if (this.busy.size > 0 && this.memoryInUse + next.memory > this.memory) break;
      this.queue.shift();
      void this.run(next);
    }
    if (this.queue.length === 0) this.stopIdle();
  }

  private async run(job: Waiting): Promise<void> {
    const thread = this.idle.pop() ?? this.startThread();
    this.busy.add(thread);
    this.memoryInUse += job.memory;
    try {
      job.resolve(await thread.derive(job.derivation, job.password));
      this.idle.push(thread);
    } catch (error) {
      // The thread may be the cause: the next job gets a new one.
      void thread.stop();
      job.reject(error);
    } finally {
      this.busy.delete(thread);
      this.memoryInUse -= job.memory;
      this.startNext();
    }
  }

  private stopIdle(): void {
    for (const thread of this.idle.splice(0)) void thread.stop();
  }
}

function closed(): Error {
  return new Error('key derivation: closed');
}

/** Memory limit of this process in bytes: that of its container, or the host's memory. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
