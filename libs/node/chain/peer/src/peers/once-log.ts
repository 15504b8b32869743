import type { LogValues, Logger } from '@tetrad/types';
import { LRUCache } from 'lru-cache';

/** Lines that were logged already; the oldest may be logged again. */
const REMEMBERED = 1_024;

/** Logs a line about a peer once, so that a misbehaving peer cannot fill the log. */
export class OnceLog {
  private readonly said = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(private readonly logger: Logger) {}

  /**
   * @param about - the peer
   * @param topic - the event. Logs once per pair
   */
  warn(about: string, topic: string, { message, values }: { message: string; values: LogValues }): void {
    const key = `${topic} ${about}`;
    if (this.said.has(key)) return;
    this.said.set(key, true);
    this.logger.warn(message, values);
  }

  /** The line may be logged again. */
  forget(about: string, topic: string): void {
    this.said.delete(`${topic} ${about}`);
  }
}
