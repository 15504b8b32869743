import { watch, type FSWatcher } from 'node:fs';
import type { Clock } from '@tetrad/types';

export interface FolderWatchOptions {
  readonly folders: readonly string[];
  /** How long nothing may change before the change is reported: writers take several steps. */
  readonly quietMs: number;
  /** A look at everything without an event, for what raises none: network file systems, files elsewhere. */
  readonly periodMs: number;
  readonly clock: Clock;
  readonly onChange: () => void;
}

/** How many times a change may put off the report of the one before it. */
const MAX_QUIETS = 10;

/**
 * Reports that something in the folders may have changed, by events and now and then without one.
 *
 * A folder that cannot be watched, or is replaced, is watched again from the next period on.
 */
export class FolderWatch {
  private readonly watchers: FSWatcher[] = [];
  private cancelQuiet: (() => void) | undefined;
  private cancelPeriod: (() => void) | undefined;
  private firstEventAt: number | undefined;
  private isClosed = false;

  constructor(private readonly options: FolderWatchOptions) {
    this.arm();
    this.startPeriod();
  }

  close(): void {
    this.isClosed = true;
    this.cancelQuiet?.();
    this.cancelPeriod?.();
    this.disarm();
  }

  private startPeriod(): void {
    this.cancelPeriod = this.options.clock.schedule(this.options.periodMs, () => {
      // First the watch, then the look: what changes in between is seen by one of them.
      this.disarm();
      this.arm();
      this.options.onChange();
      this.startPeriod();
    });
  }

  private arm(): void {
    for (const folder of this.options.folders) {
      try {
        const watcher = watch(folder, { persistent: false }, () => this.noteEvent());
        watcher.on('error', () => watcher.close());
        this.watchers.push(watcher);
      } catch {
        // The period serves it.
      }
    }
  }

  private disarm(): void {
    for (const watcher of this.watchers.splice(0)) watcher.close();
  }

  private noteEvent(): void {
    if (this.isClosed) return;
    const { clock, quietMs, onChange } = this.options;
    this.firstEventAt ??= clock.now();
    // A folder that never rests is looked at all the same.
    if (clock.now() - this.firstEventAt > MAX_QUIETS * quietMs) return;
    this.cancelQuiet?.();
    this.cancelQuiet = clock.schedule(quietMs, () => {
      this.firstEventAt = undefined;
      onChange();
    });
  }
}
