import { ThreadPool, startThread, threadFile } from '@tetrad/types';
import { PROTOCOL, type CoinAddress } from '../address/coin-address.js';
import { BlsSigner } from './bls-signer.js';
import { type CoinSignature, signatureTypeOf, type KeyKind } from './coin-signature.js';
import { DigestSigner } from './digest-signer.js';
import { DIGEST, assertPrivateKey, SigningError } from './recoverable.js';
import { isCostly, signData, verifySignature } from './sign.js';
import type { SigningJob, SigningOutcome } from './signing-job.js';

export interface SigningPoolOptions {
  /** Threads for BLS, and for secp256k1 where many signatures are asked for at the same time; with 0 everything happens on the caller's. */
  readonly workers: number;
  /** Jobs that may wait for a thread; the next one is refused. */
  readonly maxWaiting?: number;
}

/** Signs and verifies without blocking the caller's thread: BLS, which takes milliseconds, on separate threads. */
export interface SigningPool {
  /**
   * Signs data with the scheme of the key. Copies of the key are wiped after use; the key itself must stay as it is
   * until the promise is settled.
   * @throws SigningError (INVALID_KEY, DATA_TOO_LONG, POOL_FULL, POOL_CLOSED)
   */
  sign(kind: KeyKind, privateKey: Uint8Array, data: Uint8Array): Promise<CoinSignature>;
  /**
   * As `verifySignature`.
   * @throws SigningError (POOL_FULL, POOL_CLOSED)
   */
  verify(address: CoinAddress, data: Uint8Array, signature: CoinSignature): Promise<boolean>;
  /** Jobs that wait for a thread. */
  readonly waiting: number;
  /** Takes no more jobs, finishes those under way and ends the threads. */
  close(): Promise<void>;
}

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
  private closing: Promise<void> | undefined;

  constructor(
    private readonly workers: number,
    private readonly maxWaiting: number,
  ) {
    this.threads = new ThreadPool({
      workers,
      maxWaiting,
      timeMs: MAX_MS,
      startThread: () =>
        startThread(
          threadFile(import.meta.url, './signing-worker.js', '../../dist/signature/signing-worker.js'),
        ),
    });
    this.digests = new DigestSigner({
      isThreadFree: () => this.underWay.size < workers,
      run: async (job) => {
        const outcome = await this.run(job, [job.keys.buffer as ArrayBuffer]);
        if (!('signatures' in outcome)) throw unexpectedAnswer();
        return outcome.signatures;
      },
    });
    this.bls = new BlsSigner({
      workers,
      run: async (job) => {
        const buffers = [job.keys, ...job.data].map(({ buffer }) => buffer as ArrayBuffer);
        const outcome = await this.run(job, buffers);
        if (!('made' in outcome)) throw unexpectedAnswer();
        return outcome.made;
      },
    });
  }

  get waiting(): number {
    return this.bls.waiting + this.digests.waiting + Math.max(0, this.underWay.size - this.workers);
  }

  async sign(kind: KeyKind, privateKey: Uint8Array, data: Uint8Array): Promise<CoinSignature> {
    assertOpen(this.closing !== undefined);
    this.assertRoom();
    const type = signatureTypeOf(kind);
    if (kind === 'bls') return { type, data: await this.bls.sign(privateKey, data) };
    assertPrivateKey(privateKey);
    return { type, data: await this.digests.sign(privateKey, DIGEST[kind](data)) };
  }

  async verify(address: CoinAddress, data: Uint8Array, signature: CoinSignature): Promise<boolean> {
    assertOpen(this.closing !== undefined);
    if (!isCostly(signature) || address.protocol !== PROTOCOL.bls) {
      return verifySignature(address, data, signature);
    }
    this.assertRoom();
    const job = {
      do: 'verify',
      publicKey: address.payload(),
      data: new Uint8Array(data),
      signature: new Uint8Array(signature.data),
    } as const;
    const outcome = await this.run(job, [job.data.buffer]);
    if (!('valid' in outcome)) throw unexpectedAnswer();
    return outcome.valid;
  }

  close(): Promise<void> {
    this.closing ??= this.finish();
    return this.closing;
  }

  private async finish(): Promise<void> {
    await Promise.all([this.digests.settle(), this.bls.settle()]);
    await Promise.allSettled(this.underWay);
    await this.threads.close();
  }

  private assertRoom(): void {
    if (this.waiting < this.maxWaiting) return;
    throw new SigningError('POOL_FULL', `${this.maxWaiting} signatures are waiting already`);
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

function unexpectedAnswer(): Error {
  return new Error('a signing thread gave another answer than asked for');
}

function assertOpen(closed: boolean): void {
  if (closed) throw new SigningError('POOL_CLOSED', 'the service is stopping and no longer signs');
}
