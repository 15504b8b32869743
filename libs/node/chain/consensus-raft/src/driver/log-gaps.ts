import type { LogKeys } from '../log/log-keys.js';
import { decodeHead } from '../log/log-records.js';
import type { LogStore } from '../log/log-store.js';

/** Blocks of the log that another client deleted. */
export interface LogGap {
  readonly lowest: number;
  readonly count: number;
}

/** How often a pruning may come between the reads of one search. */
const SEARCHES = 3;
/** Blocks between two searches that no deletion causes, while a gap is known. */
const BLOCKS_BETWEEN = 64;

/**
 * Finds blocks that were deleted from the log by another client. Pruning deletes all blocks below a number and never the newest, so a
 * block that is missing above the first of the log, or among the newest, was not pruned.
 *
 * The chain goes on, since its head is intact; a node that still needs the block gets it from members. The gap has gone
 * once the blocks are put back, or all below them are pruned.
 */
export class LogGaps {
  private gap: LogGap | undefined;
  private isDue = false;
  private searchedAt = 0;

  constructor(
    private readonly options: {
      readonly store: LogStore;
      readonly keys: LogKeys;
      /** Newest blocks that are never pruned. */
      readonly keptBlocks: number;
    },
  ) {}

  /** What is missing; undefined when nothing is. */
  reason(): string | undefined {
    if (this.gap === undefined) return undefined;
    const { lowest, count } = this.gap;
    const more = count === 1 ? '' : ` (and ${count - 1} more)`;
    return `block ${lowest} of the log in etcd is missing: another client deleted it${more}`;
  }

  deleted(): void {
    this.isDue = true;
  }

  /** @param head - number of the log's, which an append moves to the block */
  put(number: number, head: number): void {
    if (number < head || number === this.gap?.lowest) this.isDue = true;
  }

  /**
   * Searches after changes.
   * @param head - number of the log's
   * @throws EtcdError
   */
  async follow(head: number): Promise<void> {
    const isOld = this.gap !== undefined && head >= this.searchedAt + BLOCKS_BETWEEN;
    if (this.isDue || isOld) await this.search(head);
  }

  /**
   * Searches the log up to its head.
   *
   * @returns undefined when no block is missing
   * @throws EtcdError, LogError `foreign`
   */
  async search(head: number): Promise<LogGap | undefined> {
    for (let search = 0; search < SEARCHES; search++) {
      const before = await this.extent(0, head);
      const gap = await this.gapOf(before, head);
      const after = gap === undefined ? before : await this.extent(0, head);
      if (after.first !== before.first || after.count !== before.count) continue;
      this.gap = gap;
      this.searchedAt = head;
      this.isDue = false;
      break;
    }
    return this.gap;
  }

  private async gapOf({ first, count }: LogExtent, head: number): Promise<LogGap | undefined> {
    const kept = await this.oldestKept();
    const from = Math.min(first ?? head + 1, kept);
    const missing = head + 1 - from - count;
    if (missing <= 0) return undefined;
    const isWhole = first === undefined || first > kept;
    return { lowest: isWhole ? kept : await this.lowestBetween(first, head), count: missing };
  }

  /** The oldest block that cannot have been pruned: the newest head of all, as another node's may be ahead of this view. */
  private async oldestKept(): Promise<number> {
    const { store, keys, keptBlocks } = this.options;
    const [entry] = (await store.range({ key: keys.head })).entries;
    const head = entry === undefined ? 0 : decodeHead(entry.key, entry.value).number;
    return Math.max(1, head - keptBlocks);
  }

  private async lowestBetween(first: number, head: number): Promise<number> {
    let [low, high] = [first, head];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { count } = await this.extent(first, middle);
      if (count < middle + 1 - first) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** In one read, so that no pruning comes in between. */
  private async extent(from: number, to: number): Promise<LogExtent> {
    const { store, keys } = this.options;
    const range = { key: keys.block(from), rangeEnd: keys.block(to + 1) };
    const { entries, count } = await store.range({ ...range, limit: 1, keysOnly: true });
    return { first: keys.numberOf(entries[0]?.key ?? ''), count };
  }
}

/** The number of the first block in a range, and how many there are. */
interface LogExtent {
  readonly first: number | undefined;
  readonly count: number;
}
