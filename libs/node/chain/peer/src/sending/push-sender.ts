import type { Clock } from '@tetrad/types';
import type { PushMessage } from '../wire/push-message.js';
import type { Priority, Outbox } from './outbox.js';

/** Outcome of a push: delivered, to be tried again a little later, or not to be tried again with this connection. */
export type PushOutcome = 'delivered' | 'busy' | 'lost';

export interface PushSenderOptions {
  readonly priority: Priority;
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** Bytes of one push. */
  readonly pushBytes: number;
  /** Least time from one push to the next, in which messages gather; one that is full is followed at once. */
  readonly lingerMs: number;
  /** Never fails. */
  readonly push: (messages: readonly PushMessage[]) => Promise<PushOutcome>;
}

/** How long a peer that is busy is left alone. */
const BUSY_MS = 100;

/**
 * Sends one priority of an outbox, a push at a time. The first message after a pause is sent at once: on a chain with
 * short blocks a transaction that waits misses several of them.
 */
export class PushSender {
  private isRunning = false;
  private nextMs = 0;

  constructor(private readonly options: PushSenderOptions) {}

  /** Called when there may be something to send. */
  wake(): void {
    if (this.isRunning || !this.options.outbox.has(this.options.priority)) return;
    this.isRunning = true;
    this.later(this.gatheringMs());
  }

  private later(delayMs: number): void {
    if (delayMs === 0) queueMicrotask(() => void this.run());
    else this.options.clock.schedule(delayMs, () => void this.run());
  }

  private gatheringMs(): number {
    // A clock that was set back must not delay messages.
    return Math.min(Math.max(0, this.nextMs - this.options.clock.now()), this.options.lingerMs);
  }

  private async run(): Promise<void> {
    const { outbox, priority, pushBytes, push, clock, lingerMs } = this.options;
    while (outbox.has(priority)) {
      const messages = outbox.take(priority, pushBytes);
      const isFull = outbox.has(priority);
      this.nextMs = clock.now() + lingerMs;
      const outcome = await push(messages);
      if (outcome === 'busy') {
        outbox.restore(messages);
        return this.later(BUSY_MS);
      }
      if (outcome === 'lost') {
        // The next connection may still be in time for these; everything else is announced again then.
        outbox.restore(messages.filter(({ kind }) => kind === 'consensus'));
        break;
      }
      const delayMs = isFull ? 0 : this.gatheringMs();
      if (delayMs > 0 && outbox.has(priority)) return this.later(delayMs);
    }
    this.isRunning = false;
  }
}
