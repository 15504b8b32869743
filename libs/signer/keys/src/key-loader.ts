import type { Address } from '@tetrad/types';
import pLimit from 'p-limit';
import type { KeySource, Scan } from './key-entry.js';
import { KeyLoadError } from './key-load-error.js';
import { loadEntries, openEntry, scanSources, type LoadOptions } from './key-loading.js';
import { PendingKeys } from './pending-keys.js';
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
  /** One load or reload at a time, in the order they came. */
  private readonly inTurn = pLimit(1);
  private underWay: { total: number; loaded: number; failed: number } | undefined;
  /** Of the load under way. */
  private pending: PendingKeys | undefined;
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

  /**
   * Resolves when it is decided whether a key that is being loaded is that of the address; it is loaded before others.
   * @returns undefined when no load is under way that may bring it; `unavailable` when too many wait for others
   */
  whenDecided(address: Address): Promise<void> | 'unavailable' | undefined {
    if (this.pending?.mayHold(address) !== true) return undefined;
    return this.pending.whenDecided(address) ?? 'unavailable';
  }

  /** A load under way ends without an effect. */
  close(): void {
    this.isClosed = true;
  }

  /**
   * The scan at the start, with single keys loaded.
   * @throws KeyLoadError when a source cannot be read, or a single key is not a key; one whose vault is silent may wait
   */
  async scanAtStart(): Promise<Scan> {
    const scan = await scanSources(this.sources, { refresh: true });
    const offering = new Set(scan.map(([source]) => source));
    for (const source of this.sources)
      if (source.whenEmpty !== undefined && !offering.has(source)) this.log.emptySource(source.whenEmpty);
    this.underWay = { total: scan.length, loaded: 0, failed: 0 };
    this.pending = new PendingKeys(scan);
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
      const pending = this.pending ?? new PendingKeys(scan);
      await this.load(scan, { previous: this.keys.table, refresh: false, pending, onOutcome }, (table) => {
        if (this.isClosed) return;
        this.keys.swap(table);
        this.log.firstLoad(table);
      });
    });
  }

  /**
   * Loads beside the keys that are there, and swaps at once.
   * @throws KeyLoadError when a source cannot be read
   */
  loadAgain({ refresh, onStart }: LoadAgainOptions): Promise<KeyDifference> {
    return this.inTurn(async () => {
      onStart?.();
      const before = this.keys.table;
      const scan = await scanSources(this.sources, { refresh });
      const options = { previous: before, refresh, pending: new PendingKeys(scan) };
      return this.load(scan, options, (table) => {
        if (this.isClosed) throw new KeyLoadError('the service stops');
        const difference = this.keys.swap(table);
        this.log.laterLoad(difference, before, table);
        return difference;
      });
    });
  }

  /**
   * Adds outcomes of repeated vault requests, of entries that still exist.
   * @returns the resulting difference; undefined when there are no such entries
   */
  takeVaultKeys(outcomes: KeyTable): Promise<KeyDifference | undefined> {
    return this.inTurn(async () => {
      const table = this.keys.table;
      const taken = [...outcomes].filter(([identity, { fingerprint }]) => {
        const before = table.get(identity);
        return before !== undefined && before.key === undefined && before.fingerprint === fingerprint;
      });
      if (this.isClosed || taken.length === 0) return undefined;
      const difference = this.keys.swap(new Map([...table, ...taken]));
      for (const [, outcome] of taken) if (outcome.key !== undefined) this.log.vaultAnswered(outcome);
      return difference;
    });
  }

  /** Opens the entries and takes the table in; who waits for one of them goes on when it is there, or all is over. */
  private async load<T>(scan: Scan, options: LoadOptions, takeIn: (table: KeyTable) => T): Promise<T> {
    const underWay = { total: scan.length, loaded: 0, failed: 0 };
    const { pending } = options;
    this.underWay = underWay;
    this.pending = pending;
    try {
      const table = await loadEntries(scan, {
        ...options,
        onOutcome: (identity, outcome) => {
          underWay[outcome.key === undefined ? 'failed' : 'loaded'] += 1;
          if (options.onOutcome === undefined) return;
          options.onOutcome(identity, outcome);
          pending.settle(identity, (address) => this.keys.find(address) !== undefined);
        },
      });
      return takeIn(table);
    } finally {
      this.underWay = undefined;
      this.pending = undefined;
      pending.end();
    }
  }
}
