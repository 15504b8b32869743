import type { Clock } from '@tetrad/types';
import { EtcdError } from '../etcd-error.js';

export interface QuietCheckOptions {
  readonly clock: Clock;
  /** For texts. */
  readonly endpoint: string;
  /** Before the stream has said that it is open. */
  readonly openingMs: number;
  /** Without a line. */
  readonly quietMs: number;
  /**
   * Asks the same endpoint, linearizably.
   * @returns revision that the stream must report, zero when unknown
   * @throws EtcdError
   */
  readonly probe: () => Promise<bigint>;
  /** Whether the stream has not reported that revision. */
  readonly isBehind: (due: bigint) => boolean;
  /** Called at most once, when the stream is dead or behind. */
  readonly onDead: (error: unknown) => void;
  /** Called when etcd has answered the probe of a quiet stream. */
  readonly onAlive: () => void;
}

/** Longest silence of a stream: etcd reports progress every ten minutes when nothing happens. */
export const SILENCE_MS = 15 * 60_000;

/**
 * Detects a stream that is open and dead. When it is quiet for a while, etcd is asked for the newest revision; a stream
 * that does not report that within the same time again is behind.
 */
export class QuietCheck {
  private cancel: () => void = () => {};
  private isEnded = false;
  private isOpen = false;
  private due = 0n;
  private silentMs = 0;

  constructor(private readonly options: QuietCheckOptions) {
    this.wait(options.openingMs);
  }

  /** A line arrived; nothing is checked while it is handled. */
  lineBegins(): void {
    this.isOpen = true;
    this.silentMs = 0;
    this.cancel();
  }

  lineEnds(): void {
    if (!this.isEnded) this.wait(this.options.quietMs);
  }

  end(): void {
    this.isEnded = true;
    this.cancel();
  }

  private wait(delayMs: number): void {
    this.cancel();
    this.cancel = this.options.clock.schedule(delayMs, () => void this.check(delayMs));
  }

  private async check(waitedMs: number): Promise<void> {
    this.silentMs += waitedMs;
    const problem = this.problem();
    if (problem !== undefined)
      return this.dead(new EtcdError('unavailable', `${this.options.endpoint}: ${problem}`));
    const { silentMs } = this;
    try {
      const due = await this.options.probe();
      if (this.isEnded) return;
      // A line arrived meanwhile, so the stream is alive and the wait starts again.
      if (this.silentMs < silentMs) return;
      this.due = due;
      this.options.onAlive();
      if (!this.isEnded) this.wait(this.options.quietMs);
    } catch (error) {
      this.dead(error);
    }
  }

  private problem(): string | undefined {
    if (!this.isOpen) return `a watch is not opened within ${this.options.openingMs} ms`;
    if (this.options.isBehind(this.due))
      return `the watch is behind: it has not reported revision ${this.due}`;
    return this.silentMs > SILENCE_MS ? `the watch says nothing for ${this.silentMs} ms` : undefined;
  }

  private dead(error: unknown): void {
    if (this.isEnded) return;
    this.end();
    this.options.onDead(error);
  }
}
