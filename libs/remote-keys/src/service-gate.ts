import { fullBucket, takeTokens, type BucketRate, type Clock, type TokenBucket } from '@tetrad/types';
import type { ServiceLimits } from './key-service.js';
import { RemoteKeyError } from './remote-key-error.js';

interface Waiting {
  readonly start: () => void;
}

/**
 * Bounds the calls to one service, in the order they come.
 *
 * A call holds its place until the service has answered, also when its caller has left: a service that hangs gets no
 * more than its number of calls, however many requests come and time out.
 */
export class ServiceGate {
  private readonly waiting = new Set<Waiting>();
  private running = 0;
  private bucket: TokenBucket | undefined;
  private cancelPump: (() => void) | undefined;

  constructor(
    private readonly name: string,
    private readonly limits: ServiceLimits,
    private readonly clock: Clock,
  ) {}

  /** Calls under way, those included whose callers have left. */
  get callsUnderWay(): number {
    return this.running;
  }

  /**
   * Runs the call when it is its turn.
   *
   * @param signal - when it is aborted before the turn has come, the call is not made
   * @throws RemoteKeyError BUSY when too many wait, TIMED_OUT when aborted while waiting; as the call
   */
  run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.waiting.size >= this.limits.maxWaiting && !this.hasRoom()) {
      const text = `${this.name}: ${this.limits.maxWaiting} calls wait for it already`;
      return Promise.reject(new RemoteKeyError('BUSY', text));
    }
    return new Promise((done, fail) => {
      const giveUp = () => {
        this.waiting.delete(waiting);
        fail(new RemoteKeyError('TIMED_OUT', `${this.name}: no turn in time`));
      };
      const waiting = {
        start: () => {
          signal.removeEventListener('abort', giveUp);
          void this.make(call).then(done, fail);
        },
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      this.waiting.add(waiting);
      this.pump();
    });
  }

  private async make<T>(call: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await call();
    } finally {
      this.running -= 1;
      this.pump();
    }
  }

  private hasRoom(): boolean {
    return this.waiting.size === 0 && this.running < this.limits.concurrency;
  }

  private pump(): void {
    for (const waiting of this.waiting) {
      if (this.running >= this.limits.concurrency || !this.takeToken()) return;
      this.waiting.delete(waiting);
      waiting.start();
    }
  }

  /** Whether the rate permits a call now; when it does not, the next look is when it may. */
  private takeToken(): boolean {
    const { perSecond } = this.limits;
    if (perSecond === undefined) return true;
    const rate: BucketRate = { perSecond, burst: Math.max(1, perSecond) };
    const nowMs = this.clock.now();
    const taken = takeTokens(this.bucket ?? fullBucket(rate, nowMs), rate, { amount: 1, nowMs });
    if (taken !== undefined) {
      this.bucket = taken;
      return true;
    }
    this.cancelPump ??= this.clock.schedule(Math.ceil(1_000 / perSecond), () => {
      this.cancelPump = undefined;
      this.pump();
    });
    return false;
  }
}
