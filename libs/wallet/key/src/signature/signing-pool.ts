import { ThreadPool, startThread, threadFile } from '@tetrad/types';
import { PROTOCOL, type CoinAddress } from '../address/coin-address.js';
import { BatchQueue } from './batch-queue.js';
import { BlsSigner } from './bls-signer.js';
import { type CoinSignature, signatureTypeOf, type KeyKind } from './coin-signature.js';
import { DigestSigner } from './digest-signer.js';
import { DIGEST, SigningError, assertPrivateKey, signRecoverableDigest } from './recoverable.js';
import { isCostly, signData, verifySignature } from './sign.js';
import type { SignAllJob } from './sign-all-job.js';
import type { BlsSignJob, BlsSignature, SigningJob, SigningOutcome, VerifyJob } from './signing-job.js';

export interface SigningPoolOptions {
  /** Threads for BLS, and for secp256k1 where many signatures are asked for at the same time; with 0 everything happens on the caller's. */
  readonly workers: number;
  /**
   * BLS signatures that may wait for a thread, and as many verifications beside them: the next one is refused, whatever
   * waits of the other kind. Of secp256k1 signatures the next ones are made on the caller's thread.
   */
  readonly maxWaiting?: number;
}

/** Signs and verifies without blocking the caller's thread: BLS, which takes milliseconds, on separate threads. */
export interface SigningPool {
  /**
   * Signs data with the scheme of the key. Copies of the key are wiped after use; the key itself must stay as it is
   * until the promise is settled.
   * @throws SigningError (INVALID_KEY, DATA_TOO_LONG, POOL_CLOSED; POOL_FULL with BLS)
   */
  sign(kind: KeyKind, privateKey: Uint8Array, data: Uint8Array): Promise<CoinSignature>;
  /**
   * As `verifySignature`.
   * @throws SigningError (POOL_CLOSED; POOL_FULL with BLS)
   */
  verify(address: CoinAddress, data: Uint8Array, signature: CoinSignature): Promise<boolean>;
  /** Jobs that wait for a thread. */
  readonly waiting: number;
  /** Takes no more jobs, finishes those under way and ends the threads. */
  close(): Promise<void>;
}

/** Takes a batch of the largest number of calls whole. */
const MAX_WAITING = 1024;
/** A host that is busy stands still for seconds; a thread that is silent for this long is lost. */
const MAX_MS = 120_000;

export function createSigningPool({ workers, maxWaiting = MAX_WAITING }: SigningPoolOptions): SigningPool {
  return workers === 0 ? new CallersThread() : new ThreadedPool(workers, maxWaiting);
}

class CallersThread implements SigningPool {
  readonly waiting = 0;
  private closed = false;

  async sign(kind: KeyKind, privateKey: Uint8Array, data: Uint8Array): Promise<CoinSignature> {
    assertOpen(this.closed);
    return signData(kind, privateKey, data);
  }

  async verify(address: CoinAddress, data: Uint8Array, signature: CoinSignature): Promise<boolean> {
    assertOpen(this.closed);
    return verifySignature(address, data, signature);
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

class ThreadedPool implements SigningPool {
  private readonly threads: ThreadPool<SigningJob, SigningOutcome>;
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly digests: DigestSigner;
  private readonly bls: BlsSigner;
  /** Callers who may not sign may verify: these take turns with signatures, which never wait for all of them. */
  private readonly verifications: BatchQueue<VerifyJob, boolean>;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly workers: number,
    private readonly maxWaiting: number,
  ) {
    this.threads = startThreads(workers);
    this.digests = new DigestSigner({
      isThreadFree: () => this.underWay.size < workers,
      run: (job) => this.signDigests(job),
    });
    this.bls = new BlsSigner({ workers, run: (job) => this.signBls(job) });
    this.verifications = new BatchQueue({
      concurrency: workers,
      gathers: false,
      sizeOf: () => 1,
      run: (jobs) => Promise.all(jobs.map((job) => this.runVerification(job))),
    });
  }

  get waiting(): number {
    const queued = this.bls.waiting + this.digests.waiting + this.verifications.length;
    return queued + Math.max(0, this.underWay.size - this.workers);
  }

  async sign(kind: KeyKind, privateKey: Uint8Array, data: Uint8Array): Promise<CoinSignature> {
    assertOpen(this.closing !== undefined);
    const type = signatureTypeOf(kind);
    if (kind === 'bls') {
      this.assertRoom(this.bls.waiting);
      return { type, data: await this.bls.sign(privateKey, data) };
    }
    assertPrivateKey(privateKey);
    const digest = DIGEST[kind](data);
    if (this.digests.waiting >= this.maxWaiting) {
      return { type, data: signRecoverableDigest(privateKey, digest) };
    }
    return { type, data: await this.digests.sign(privateKey, digest) };
  }

  async verify(address: CoinAddress, data: Uint8Array, signature: CoinSignature): Promise<boolean> {
    assertOpen(this.closing !== undefined);
    if (!isCostly(signature) || address.protocol !== PROTOCOL.bls) {
      return verifySignature(address, data, signature);
    }
    this.assertRoom(this.verifications.length);
    return this.verifications.add({
      do: 'verify',
      publicKey: address.payload(),
      data: new Uint8Array(data),
      signature: new Uint8Array(signature.data),
    });
  }

  close(): Promise<void> {
    this.closing ??= this.finish();
    return this.closing;
  }

  private async finish(): Promise<void> {
    await Promise.all([this.digests.settle(), this.bls.settle(), this.verifications.settle()]);
    await Promise.allSettled(this.underWay);
    await this.threads.close();
  }

  private assertRoom(waiting: number): void {
    if (waiting < this.maxWaiting) return;
    throw new SigningError('POOL_FULL', `${this.maxWaiting} signatures are waiting already`);
  }

  private async signDigests(job: SignAllJob): Promise<Uint8Array> {
    const outcome = await this.run(job, [job.keys.buffer as ArrayBuffer]);
    if (!('signatures' in outcome)) throw unexpectedAnswer();
    return outcome.signatures;
  }

  private async signBls(job: BlsSignJob): Promise<readonly BlsSignature[]> {
    const buffers = [job.keys, ...job.data].map(({ buffer }) => buffer as ArrayBuffer);
    const outcome = await this.run(job, buffers);
    if (!('made' in outcome)) throw unexpectedAnswer();
    return outcome.made;
  }

  private async runVerification(job: VerifyJob): Promise<boolean> {
    const outcome = await this.run(job, [job.data.buffer as ArrayBuffer]);
    if (!('valid' in outcome)) throw unexpectedAnswer();
    return outcome.valid;
  }

  private async run(job: SigningJob, transferList: ArrayBuffer[]): Promise<SigningOutcome> {
    const running = this.threads.run(job, transferList);
    this.underWay.add(running);
    try {
      return await running;
    } finally {
      this.underWay.delete(running);
    }
  }
}

function startThreads(workers: number): ThreadPool<SigningJob, SigningOutcome> {
  return new ThreadPool({
    workers,
    // Each kind has at most one job under way for each thread; what is more waits in its own queue.
    maxWaiting: 3 * workers,
    timeMs: MAX_MS,
    startThread: () =>
      startThread(
        threadFile(import.meta.url, './signing-worker.js', '../../dist/signature/signing-worker.js'),
      ),
  });
}

function unexpectedAnswer(): Error {
  return new Error('a signing thread gave another answer than asked for');
}

function assertOpen(closed: boolean): void {
  if (closed) throw new SigningError('POOL_CLOSED', 'the service is stopping and no longer signs');
}
