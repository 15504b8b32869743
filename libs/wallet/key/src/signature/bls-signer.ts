import { BatchQueue } from './batch-queue.js';
import type { BlsSignJob, BlsSignature } from './signing-job.js';
import { SigningError } from './recoverable.js';

export interface BlsSignerOptions {
  /** Threads that sign. */
  readonly workers: number;
  /**
   * Hands a batch to a thread.
   * @returns a signature or an error for each item
   */
  readonly run: (job: BlsSignJob) => Promise<readonly BlsSignature[]>;
}

interface BlsItem {
  /** The caller's: alive and unwiped until the promise is settled. */
  readonly privateKey: Uint8Array;
  readonly data: Uint8Array;
}

const KEY_BYTES = 32;
/** Signatures of one batch where many wait: they are answered together, so a longer one would hold its first up. */
const MAX_IN_BATCH = 4;

/**
 * Signs with BLS on other threads, one batch on each. A batch is one signature unless at least twice as many wait as
 * there are threads; what is signed together is recorded and answered together, which is much of its price.
 */
export class BlsSigner {
  private readonly queue: BatchQueue<BlsItem, BlsSignature>;

  constructor({ workers, run }: BlsSignerOptions) {
    this.queue = new BatchQueue({
      concurrency: workers,
      gathers: false,
      sizeOf: (waiting) => Math.min(MAX_IN_BATCH, Math.ceil(waiting / (2 * workers))),
      run: (items) => run(jobOf(items)),
    });
  }

  /** How many wait for a thread. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * 96 bytes.
   * @throws SigningError (INVALID_KEY, DATA_TOO_LONG); as `run`
   */
  async sign(privateKey: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
    const made = await this.queue.add({ privateKey, data });
    if ('refused' in made) throw new SigningError(made.refused.code, made.refused.message);
    return made.signature;
  }

  /** Resolves when nothing waits and nothing is under way. */
  settle(): Promise<void> {
    return this.queue.settle();
  }
}

function jobOf(items: readonly BlsItem[]): BlsSignJob {
  const keys = new Uint8Array(items.length * KEY_BYTES);
  for (const [index, { privateKey }] of items.entries()) keys.set(privateKey, index * KEY_BYTES);
  return { do: 'sign-bls', keys, data: items.map(({ data }) => new Uint8Array(data)) };
}
