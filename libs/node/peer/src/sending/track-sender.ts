import type { Clock } from '@tetrad/types';
import type { PushMessage } from '../wire/push-message.js';
import type { Track, Outbox } from './outbox.js';

/** What became of a push: taken, to be tried again a little later, or not to be tried again with this connection. */
export type PushOutcome = 'delivered' | 'busy' | 'lost';

export interface TrackSenderOptions {
  readonly track: Track;
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** Bytes of one push. */
  readonly pushBytes: number;
  /** How long messages gather before they are sent. */
  readonly lingerMs: number;
  /** Never fails. */
  readonly push: (messages: readonly PushMessage[]) => Promise<PushOutcome>;
}

/** How long a peer that is busy is left alone. */
const BUSY_MS = 100;

/** Empties one track of an outbox, a push at a time: the next one takes all that came meanwhile. */
export class TrackSender {
  private isRunning = false;

  constructor(private readonly options: TrackSenderOptions) {}

  /** There is something to send, perhaps. */
  wake(): void {
    if (this.isRunning || !this.options.outbox.has(this.options.track)) return;
    this.isRunning = true;
    this.later(this.options.lingerMs);
  }

  private later(delayMs: number): void {
    if (delayMs === 0) queueMicrotask(() => void this.run());
    else this.options.clock.schedule(delayMs, () => void this.run());
  }

  private async run(): Promise<void> {
    const { outbox, track, pushBytes, push } = this.options;
    while (outbox.has(track)) {
      const messages = outbox.take(track, pushBytes);
      const outcome = await push(messages);
      if (outcome === 'delivered') continue;
      if (outcome === 'lost') {
        // The next connection may still be in time for these; everything else is announced anew then.
        outbox.restore(messages.filter(({ kind }) => kind === 'consensus'));
        break;
      }
      outbox.restore(messages);
      this.later(BUSY_MS);
      return;
    }
    this.isRunning = false;
  }
}
