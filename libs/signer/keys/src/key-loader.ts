import type { KeySource } from './key-entry.js';
import { KeyLoadError } from './key-load-error.js';
import { loadEntries, openEntry, scanSources, type LoadOptions, type Scan } from './key-loading.js';
import type { KeyLog } from './key-log.js';
import { countKeys, type KeyProgress } from './key-progress.js';
import type { KeySet } from './key-set.js';
import { identityOf, type KeyDifference, type KeyOutcome, type KeyTable } from './key-table.js';

export interface LoadAgainOptions {
  /** As in `LoadOptions`. */
  readonly refresh: boolean;
  /** Called when its turn has come, before anything is read. */
  readonly onStart?: () => void;
}

/** Loads the sources into a set of keys, one load after another. */
export class KeyLoader {
  private tail: Promise<unknown> = Promise.resolve();
  private underWay: { total: number; loaded: number; failed: number } | undefined;
  private isClosed = false;

  constructor(
    private readonly sources: readonly KeySource[],
    private readonly keys: KeySet,
    private readonly log: KeyLog,
  ) {}

  progress(): KeyProgress {
    if (this.underWay !== undefined) return { ...this.underWay, running: true };
    return { total: this.keys.table.size, ...countKeys(this.keys.table), running: false };
  }

  /** A load under way ends without an effect. */
  close(): void {
    this.isClosed = true;
  }

  /**
   * What is there at the start, its single keys loaded.
   *
   * Fails: KeyLoadError when a source cannot be read, or a single key is no key; one whose vault is silent may wait
   */
  async scanAtStart(): Promise<Scan> {
    const scan = await scanSources(this.sources);
    this.underWay = { total: scan.length, loaded: 0, failed: 0 };
    for (const [source, entry] of scan) {
      if (!source.isSingle || !('open' in entry)) continue;
      const outcome = await openEntry(source, entry);
      if (outcome.fault !== undefined && !outcome.isTransient) throw new KeyLoadError(outcome.fault);
      this.keys.publish(identityOf(source, entry.name), outcome);
    }
    return scan;
  }

  /** Loads all that the scan found; each key is available as soon as it is loaded. */
  loadFirst(scan: Scan): Promise<void> {
    return this.inTurn(async () => {
      const onOutcome = (identity: string, outcome: KeyOutcome) => this.keys.publish(identity, outcome);
      const table = await this.load(scan, { previous: this.keys.table, refresh: false, onOutcome });
      if (this.isClosed) return;
      this.keys.swap(table);
      this.log.firstLoad(table);
    });
  }

  /** Loads beside the keys that are there, and swaps at once. Fails: KeyLoadError when a source cannot be read. */
  loadAgain({ refresh, onStart }: LoadAgainOptions): Promise<KeyDifference> {
    return this.inTurn(async () => {
      onStart?.();
      const before = this.keys.table;
      const table = await this.load(await scanSources(this.sources), { previous: before, refresh });
      if (this.isClosed) throw new KeyLoadError('the service stops');
      const difference = this.keys.swap(table);
      this.log.laterLoad(difference, before, table);
      return difference;
    });
  }

  /** Takes in what a vault gave on being asked again, if that is still asked for. Out: the difference it makes. */
  takeVaultKey(identity: string, outcome: KeyOutcome): Promise<KeyDifference | undefined> {
    return this.inTurn(async () => {
      const before = this.keys.table.get(identity);
      if (this.isClosed || before === undefined || before.key !== undefined) return undefined;
      if (before.fingerprint !== outcome.fingerprint) return undefined;
      const difference = this.keys.swap(new Map([...this.keys.table, [identity, outcome]]));
      if (outcome.key !== undefined) this.log.vaultAnswered(outcome);
      return difference;
    });
  }

  private async load(scan: Scan, options: LoadOptions): Promise<KeyTable> {
    const underWay = { total: scan.length, loaded: 0, failed: 0 };
    this.underWay = underWay;
    try {
      return await loadEntries(scan, {
        ...options,
        onOutcome(identity, outcome) {
          underWay[outcome.key === undefined ? 'failed' : 'loaded'] += 1;
          options.onOutcome?.(identity, outcome);
        },
      });
    } finally {
      this.underWay = undefined;
    }
  }

  private inTurn<T>(job: () => Promise<T>): Promise<T> {
    const mine = this.tail.then(job);
    this.tail = mine.catch(() => undefined);
    return mine;
  }
}
