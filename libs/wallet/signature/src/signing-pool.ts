import { PROTOCOL, type CoinAddress } from '@tetrad/wallet-address';
import { Tinypool } from 'tinypool';
import type { CoinSignature } from './coin-signature.js';
import { signatureTypeOf, type KeyKind } from './key-kind.js';
import { isCostly, signData, verifySignature } from './sign.js';
import { SigningError } from './signing-error.js';
import type { SigningJob, SigningOutcome } from './signing-job.js';

export interface SigningPoolOptions {
  /** Threads for BLS; with 0 everything happens on the caller's. */
  readonly workers: number;
  /** Jobs that may wait for a thread; the next one is refused. */
  readonly maxWaiting?: number;
}

/** Signs and verifies without holding up the caller's thread: BLS, which takes milliseconds, on threads of its own. */
export interface SigningPool {
  /**
   * Signs data with the scheme of the key. The key is copied before the call returns; the copy is wiped after use.
   *
   * Fails: SigningError (INVALID_KEY, DATA_TOO_LONG, POOL_FULL, POOL_CLOSED)
   */
  sign(kind: KeyKind, privateKey: Uint8Array, data: Uint8Array): Promise<CoinSignature>;
  /** As `verifySignature`. Fails: SigningError (POOL_FULL, POOL_CLOSED). */
  verify(address: CoinAddress, data: Uint8Array, signature: CoinSignature): Promise<boolean>;
  /** Jobs that wait for a thread. */
  readonly waiting: number;
  /** Takes no more jobs, finishes those under way and ends the threads. */
  close(): Promise<void>;
}

const MAX_WAITING = 1024;

export function createSigningPool({ workers, maxWaiting = MAX_WAITING }: SigningPoolOptions): SigningPool {
  return workers === 0 ? new CallersThread() : new ThreadedPool(workers, maxWaiting);
}

/** Tests run from the sources, where a thread, which no test runner transforms code for, starts from the build. */
function workerFile(): string {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? '../dist/signing-worker.js' : './signing-worker.js', here).href;
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
  private readonly threads: Tinypool;
  private readonly underWay = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;

  constructor(
    private readonly workers: number,
    private readonly maxWaiting: number,
  ) {
    this.threads = new Tinypool({
      filename: workerFile(),
      runtime: 'worker_threads',
      minThreads: workers,
      maxThreads: workers,
      isolateWorkers: false,
    });
  }

  get waiting(): number {
    return Math.max(0, this.underWay.size - this.workers);
  }

  async sign(kind: KeyKind, privateKey: Uint8Array, data: Uint8Array): Promise<CoinSignature> {
    assertOpen(this.closing !== undefined);
    if (kind !== 'bls') return signData(kind, privateKey, data);
    const job = { do: 'sign', privateKey: Uint8Array.from(privateKey), data: Uint8Array.from(data) } as const;
    const outcome = await this.run(job, [job.privateKey.buffer, job.data.buffer]);
    if (!('signature' in outcome)) throw new Error('a signing thread gave another answer than asked for');
    return { type: signatureTypeOf(kind), data: outcome.signature };
  }

  async verify(address: CoinAddress, data: Uint8Array, signature: CoinSignature): Promise<boolean> {
    assertOpen(this.closing !== undefined);
    if (!isCostly(signature) || address.protocol !== PROTOCOL.bls) {
      return verifySignature(address, data, signature);
    }
    const job = {
      do: 'verify',
      publicKey: address.payload(),
      data: Uint8Array.from(data),
      signature: Uint8Array.from(signature.data),
    } as const;
    const outcome = await this.run(job, [job.data.buffer]);
    if (!('valid' in outcome)) throw new Error('a signing thread gave another answer than asked for');
    return outcome.valid;
  }

  close(): Promise<void> {
    this.closing ??= this.finish();
    return this.closing;
  }

  private async finish(): Promise<void> {
    await Promise.allSettled(this.underWay);
    await this.threads.destroy();
  }

  private async run(
    job: SigningJob,
    transferList: ArrayBuffer[],
  ): Promise<Exclude<SigningOutcome, { readonly refused: unknown }>> {
    if (this.underWay.size >= this.workers + this.maxWaiting) {
      if (job.do === 'sign') job.privateKey.fill(0);
      throw new SigningError('POOL_FULL', `${this.maxWaiting} signatures are waiting already`);
    }
    const running = this.threads.run(job, { transferList }) as Promise<SigningOutcome>;
    this.underWay.add(running);
    try {
      const outcome = await running;
      if ('refused' in outcome) throw new SigningError(outcome.refused.reason, outcome.refused.message);
      return outcome;
    } finally {
      this.underWay.delete(running);
    }
  }
}

function assertOpen(closed: boolean): void {
  if (closed) throw new SigningError('POOL_CLOSED', 'the service is stopping and signs no more');
}
