import type { Clock, Hash } from '@tetrad/types';

/** Limit on received transactions that wait to be announced; a burst beyond it waits for the next rebroadcast. */
const MOST = 16_384;

export interface AnnouncementQueueOptions {
  readonly clock: Clock;
  /** How long each hash waits. */
  readonly delayMs: number;
  /** How long due hashes gather, so that they are sent together. */
  readonly gatherMs: number;
  /** Never fails. */
  readonly announce: (hashes: readonly Hash[]) => void;
}

/** Hashes that are announced after a delay, in order. */
export class AnnouncementQueue {
  private waiting: { readonly hash: Hash; readonly dueMs: number }[] = [];
  private isDue = false;

  constructor(private readonly options: AnnouncementQueueOptions) {}

  add(hash: Hash): void {
    const { clock, delayMs } = this.options;
    if (this.waiting.length === MOST) return;
    this.waiting.push({ hash, dueMs: clock.now() + delayMs });
    if (!this.isDue) this.later(delayMs);
  }

  private later(delayMs: number): void {
    this.isDue = true;
    this.options.clock.schedule(delayMs, () => this.run());
  }

  private run(): void {
    const { clock, gatherMs, announce } = this.options;
    this.isDue = false;
    const nowMs = clock.now();
    const end = this.waiting.findIndex(({ dueMs }) => dueMs > nowMs);
    const due = end < 0 ? this.waiting : this.waiting.slice(0, end);
    this.waiting = end < 0 ? [] : this.waiting.slice(end);
    const [next] = this.waiting;
    if (next !== undefined) this.later(Math.max(gatherMs, next.dueMs - nowMs));
    announce(due.map(({ hash }) => hash));
  }
}
