import { LRUCache } from 'lru-cache';
import { InvalidBlockError } from '@tetrad/node-block';
import type { JoinedRows, LedgerStore } from '@tetrad/node-store';
import type { Address, SealedHeader } from '@tetrad/types';
import type { ConsensusRules } from './consensus-rules.js';

/** Snapshots of blocks below the head that stay in memory, as upstream. */
const CACHED_SNAPSHOTS = 128;

/** The used part of the cache. Methods, so that a history of one kind of snapshot is one of `unknown` too. */
interface SnapshotCache<Snapshot> {
  get(blockNumber: number): { readonly snapshot: Snapshot } | undefined;
  set(blockNumber: number, entry: { readonly snapshot: Snapshot }): unknown;
}

/** The snapshots after every block: the newest in memory, older ones from the store. */
export class SnapshotHistory<Snapshot> {
  private readonly older: SnapshotCache<Snapshot> = new LRUCache<number, { readonly snapshot: Snapshot }>({
    max: CACHED_SNAPSHOTS,
  });

  constructor(
    private readonly rules: ConsensusRules<Snapshot>,
    private readonly store: LedgerStore,
    private newest: { readonly number: number; readonly snapshot: Snapshot },
  ) {}

  head(): Snapshot {
    return this.newest.snapshot;
  }

  /** @throws InvalidBlockError `unknown block` */
  async at(blockNumber: number): Promise<Snapshot> {
    if (blockNumber === this.newest.number) return this.newest.snapshot;
    const known = this.older.get(blockNumber);
    if (known !== undefined) return known.snapshot;
    const snapshot = await this.rules.findSnapshot(this.store, blockNumber);
    if (snapshot === undefined) throw new InvalidBlockError('unknown block');
    this.older.set(blockNumber, { snapshot });
    return snapshot;
  }

  /**
   * The snapshot after a block on top of the head, and the rows that the store must write for it.
   * @throws InvalidBlockError when the block cannot follow
   */
  after(
    { header }: SealedHeader,
    named: readonly Address[] | undefined,
  ): { readonly snapshot: Snapshot; readonly rows: JoinedRows[] } {
    const before = this.newest.snapshot;
    const snapshot = this.rules.snapshotAfter(before, header, named);
    return { snapshot, rows: this.rules.snapshotRows(before, snapshot) };
  }

  /** The block of the snapshot is the head now. */
  adopt(number: number, snapshot: Snapshot): void {
    this.newest = { number, snapshot };
  }
}
