import { BatchQueue } from './batch-queue.js';
import { signRecoverableDigest } from './recoverable.js';
import { DIGEST_BYTES, KEY_BYTES, SIGNATURE_BYTES, type SignAllJob } from './sign-all-job.js';

export interface DigestSignerOptions {
  /** Whether a thread is free for a batch; otherwise the caller's own signs. */
  readonly isThreadFree: () => boolean;
  /**
   * Hands a batch to a thread.
   * @returns the signatures, one behind the other
   */
  readonly run: (job: SignAllJob) => Promise<Uint8Array>;
}

interface DigestItem {
  /** The caller's: alive and unwiped until the promise is settled. */
  readonly privateKey: Uint8Array;
  readonly digest: Uint8Array;
}

/** Signatures of one batch: they take a thread two milliseconds, and others wait no longer for their turn. */
const MAX_IN_BATCH = 32;

/**
 * Signs digests with secp256k1 on another thread, a batch per message: for a single digest the message would take
 * longer than the signature. Therefore a single request is served on the caller's thread.
 *
 * One batch at a time: one thread signs as fast as the caller's thread accepts requests, and those that arrive
 * meanwhile form the next, larger batch (docs/adr/0014).
 */
export class DigestSigner {
  private readonly queue: BatchQueue<DigestItem, Uint8Array>;

  constructor(private readonly options: DigestSignerOptions) {
    this.queue = new BatchQueue({
      concurrency: 1,
      gathers: true,
      sizeOf: (waiting) => Math.min(waiting, MAX_IN_BATCH),
      run: (items) => this.run(items),
    });
  }

  /** How many wait for a batch. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * 65 bytes.
   * @param privateKey - a valid one
   * @throws as `run`
   */
  sign(privateKey: Uint8Array, digest: Uint8Array): Promise<Uint8Array> {
    return this.queue.add({ privateKey, digest });
  }

  /** Resolves when nothing waits and nothing is under way. */
  settle(): Promise<void> {
    return this.queue.settle();
  }

  private async run(items: readonly DigestItem[]): Promise<readonly Uint8Array[]> {
    if (items.length === 1 || !this.options.isThreadFree()) {
      return items.map(({ privateKey, digest }) => signRecoverableDigest(privateKey, digest));
    }
    const keys = new Uint8Array(items.length * KEY_BYTES);
    const digests = new Uint8Array(items.length * DIGEST_BYTES);
    for (const [index, { privateKey, digest }] of items.entries()) {
      keys.set(privateKey, index * KEY_BYTES);
      digests.set(digest, index * DIGEST_BYTES);
    }
    const made = await this.options.run({ do: 'sign-all', keys, digests });
    return items.map((_, index) => made.slice(index * SIGNATURE_BYTES, (index + 1) * SIGNATURE_BYTES));
  }
}
