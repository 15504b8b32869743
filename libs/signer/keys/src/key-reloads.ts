import type { Clock } from '@tetrad/types';
import { FolderWatch } from './folder-watch.js';
import type { KeySource } from './key-entry.js';
import { faultOf } from './key-load-error.js';
import type { KeyLoader, LoadAgainOptions } from './key-loader.js';
import type { KeyLog } from './key-log.js';
import type { KeyDifference } from './key-table.js';
import {
  NO_RELOAD,
  failReload,
  finishReload,
  requestReload,
  type ReloadAnswer,
  type ReloadStatus,
} from './reload-operation.js';

export interface KeyReloadsOptions {
  readonly sources: readonly KeySource[];
  readonly loader: KeyLoader;
  readonly log: KeyLog;
  readonly clock: Clock;
  /** Rest after a change before it is looked at, in ms. */
  readonly watchQuietMs?: number | undefined;
  /** Time between looks without an event, in ms. */
  readonly watchPeriodMs?: number | undefined;
  /** Called with what a load changed, also when that is nothing. */
  readonly onLoaded: (difference: KeyDifference) => void;
}

const WATCH_QUIET_MS = 200;
const WATCH_PERIOD_MS = 30_000;

/** Loads keys again after the first time: on request, and for changes on the disk. */
export class KeyReloads {
  private watch: FolderWatch | undefined;
  private endWatches: readonly (() => void)[] = [];
  private lastStatus: ReloadStatus = NO_RELOAD;
  private isLookDue = false;
  private isClosed = false;

  constructor(private readonly options: KeyReloadsOptions) {}

  /** Of the last request. */
  get status(): ReloadStatus {
    return this.lastStatus;
  }

  /** Starts a reload in the background. */
  request(): ReloadAnswer {
    const { status, answer } = requestReload(this.lastStatus);
    this.lastStatus = status;
    if (answer.outcome === 'accepted') void this.runRequested();
    return answer;
  }

  /** @throws KeyLoadError when a source cannot be read at all; the keys stay as they were */
  run(): Promise<KeyDifference> {
    return this.load({ refresh: true });
  }

  /** From now on changes of folders, files and lists are noticed. */
  watchSources(): void {
    const { sources, watchQuietMs, watchPeriodMs, clock } = this.options;
    this.endWatches = sources.flatMap((source) => source.watch?.(() => void this.look()) ?? []);
    this.watch = new FolderWatch({
      folders: [...new Set(sources.flatMap(({ folders }) => folders))],
      quietMs: watchQuietMs ?? WATCH_QUIET_MS,
      periodMs: watchPeriodMs ?? WATCH_PERIOD_MS,
      clock,
      onChange: () => void this.look(),
    });
  }

  close(): void {
    this.isClosed = true;
    this.watch?.close();
    for (const end of this.endWatches) end();
  }

  /** Loads changes on the disk; at most one further check waits. */
  private async look(): Promise<void> {
    if (this.isLookDue) return;
    this.isLookDue = true;
    try {
      await this.load({ refresh: false, onStart: () => (this.isLookDue = false) });
    } catch (error) {
      if (!this.isClosed) this.options.log.noLoad(faultOf(error));
    }
  }

  private async runRequested(): Promise<void> {
    const { clock, log } = this.options;
    try {
      this.lastStatus = finishReload(await this.run(), clock.now());
    } catch (error) {
      if (!this.isClosed) log.noLoad(faultOf(error));
      this.lastStatus = failReload(faultOf(error), clock.now());
    }
  }

  private async load(options: LoadAgainOptions): Promise<KeyDifference> {
    const difference = await this.options.loader.loadAgain(options);
    this.options.onLoaded(difference);
    return difference;
  }
}
