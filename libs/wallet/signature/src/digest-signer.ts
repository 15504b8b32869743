import { signRecoverableDigest } from './recoverable.js';
import { SigningError } from './signing-error.js';
import { DIGEST_BYTES, KEY_BYTES, SIGNATURE_BYTES, type SignAllJob } from './sign-all-job.js';

export interface DigestSignerOptions {
  /** Batches under way at a time: one for each thread. */
  readonly lanes: number;
  /** Signatures that may wait for a batch; the next one is refused. */
  readonly maxWaiting: number;
  /** Whether a thread is free for a batch; otherwise the caller's own signs. */
  readonly isThreadFree: () => boolean;
  /** Hands a batch to a thread. Out: the signatures, one behind the other */
  readonly run: (job: SignAllJob) => Promise<Uint8Array>;
}

interface Waiting {
  /** The caller's: alive and unwiped until the promise is settled. */
  readonly privateKey: Uint8Array;
  readonly digest: Uint8Array;
  readonly done: (signature: Uint8Array) => void;
  readonly fail: (error: unknown) => void;
}

/** Signatures of one batch: a thread is at it for a millisecond or two, and others wait no longer for their turn. */
const MOST_IN_BATCH = 16;

/**
 * Signs digests with secp256k1 on other threads, a batch of them for one message: alone, one would take longer on its
 * way there and back than the signature takes. So whoever comes alone is served on the caller's thread.
 */
export class DigestSigner {
  private waiting: Waiting[] = [];
  private running = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];

  constructor(private readonly options: DigestSignerOptions) {}

  /** 65 bytes. In: privateKey — a valid one. Fails: SigningError POOL_FULL, and as `run` */
  sign(privateKey: Uint8Array, digest: Uint8Array): Promise<Uint8Array> {
    return new Promise((done, fail) => {
      const { maxWaiting } = this.options;
      if (this.waiting.length >= maxWaiting) {
        throw new SigningError('POOL_FULL', `${maxWaiting} signatures are waiting already`);
      }
      this.waiting.push({ privateKey, digest, done, fail });
      this.schedule();
    });
  }

  /** Resolves when nothing waits and nothing is under way. */
  async settle(): Promise<void> {
    while (this.running > 0 || this.waiting.length > 0) {
      await new Promise<void>((done) => this.idle.push(done));
    }
  }

  private schedule(): void {
    if (this.scheduled || this.waiting.length === 0 || this.running === this.options.lanes) return;
    this.scheduled = true;
    // One turn of the event loop gathers the requests that arrived together.
    setImmediate(() => {
      this.scheduled = false;
      void this.next();
    });
  }

  private async next(): Promise<void> {
    const batch = this.waiting.splice(0, MOST_IN_BATCH);
    this.running += 1;
    this.schedule();
    try {
      if (batch.length === 1 || !this.options.isThreadFree()) signHere(batch);
      else await this.signThere(batch);
    } catch (error) {
      for (const { fail } of batch) fail(error);
    } finally {
      this.running -= 1;
      this.schedule();
      for (const done of this.idle.splice(0)) done();
    }
  }

  private async signThere(batch: readonly Waiting[]): Promise<void> {
    const keys = new Uint8Array(batch.length * KEY_BYTES);
    const digests = new Uint8Array(batch.length * DIGEST_BYTES);
    for (const [index, { privateKey, digest }] of batch.entries()) {
      keys.set(privateKey, index * KEY_BYTES);
      digests.set(digest, index * DIGEST_BYTES);
    }
    const made = await this.options.run({ do: 'sign-all', keys, digests });
    for (const [index, { done }] of batch.entries()) {
      done(made.slice(index * SIGNATURE_BYTES, (index + 1) * SIGNATURE_BYTES));
    }
  }
}

function signHere(batch: readonly Waiting[]): void {
  for (const { privateKey, digest, done } of batch) done(signRecoverableDigest(privateKey, digest));
}
