import type { LogCriteria } from '@tetrad/api-node';
import { RequestError, type Block, type Clock, type Hash, type MinedLog } from '@tetrad/types';
import type { CriteriaSpace } from './criteria-space.js';
import { FilterRegistry } from './filter-registry.js';
import { assertRange, type LogQuery } from './log-query.js';
import { RecentEntries } from './recent-entries.js';

/** Blocks and transactions that one poll of a filter returns; a client that does not poll misses the oldest. */
const MAX_BLOCK_HASHES = 10_000;
const MAX_TRANSACTION_HASHES = 100_000;

export interface FilterPollParts {
  readonly ledger: { head(): Block; onBlock(listener: (block: Block) => void): unknown };
  readonly pool: { onTransaction(listener: (transaction: { readonly hash: Hash }) => void): unknown };
  readonly limits: {
    readonly filters: number;
    /** Limit for one owner. */
    readonly filtersPerCaller: number;
    readonly filterExpiryMs: number;
  };
  readonly clock: Clock;
  /** Shared with the subscriptions. */
  readonly criteria: CriteriaSpace;
  readonly query: Pick<LogQuery, 'run' | 'search'>;
}

/** Changes of a filter since its last poll. */
export type FilterChanges =
  | { readonly kind: 'hashes'; readonly hashes: readonly Hash[] }
  | { readonly kind: 'logs'; readonly logs: readonly MinedLog[] };

/** Filters of clients without a persistent connection, which poll for changes. */
export class FilterPoll {
  private readonly filters: FilterRegistry;
  private readonly blocks = new RecentEntries<Hash>(MAX_BLOCK_HASHES);
  private readonly transactions = new RecentEntries<Hash>(MAX_TRANSACTION_HASHES);

  constructor(private readonly parts: FilterPollParts) {
    const { ledger, pool, limits, clock, criteria } = parts;
    this.filters = new FilterRegistry({
      limit: limits.filters,
      share: limits.filtersPerCaller,
      expiryMs: limits.filterExpiryMs,
      clock,
      criteria,
    });
    ledger.onBlock(({ hash }) => this.blocks.add(hash));
    pool.onTransaction(({ hash }) => this.transactions.add(hash));
  }

  /**
   * @param owner - see `shareOwner`
   * @returns its id
   * @throws RequestError INVALID_LOG_RANGE, TOO_MANY_FILTERS
   */
  addLogs(criteria: LogCriteria, owner: string): string {
    assertRange(criteria);
    return this.filters.add({ kind: 'logs', criteria, nextBlock: this.nextBlock() }, owner);
  }

  /**
   * @returns its id
   * @throws RequestError TOO_MANY_FILTERS
   */
  addBlocks(owner: string): string {
    return this.filters.add({ kind: 'blocks', next: this.blocks.end }, owner);
  }

  /**
   * @returns its id
   * @throws RequestError TOO_MANY_FILTERS
   */
  addTransactions(owner: string): string {
    return this.filters.add({ kind: 'transactions', next: this.transactions.end }, owner);
  }

  /** @throws RequestError FILTER_NOT_FOUND; as `LogQuery.search`, and then the next poll covers the same blocks */
  async changes(id: string): Promise<FilterChanges> {
    const filter = this.filters.get(id);
    if (filter.kind !== 'logs') {
      const recent = filter.kind === 'blocks' ? this.blocks : this.transactions;
      const hashes = recent.since(filter.next);
      filter.next = recent.end;
      return { kind: 'hashes', hashes };
    }
    const [from, next] = [filter.nextBlock, this.nextBlock()];
    // Two concurrent polls report a block once; a refused poll reports it again.
    filter.nextBlock = next;
    try {
      return { kind: 'logs', logs: await this.newLogs(filter.criteria, { from, to: next - 1 }) };
    } catch (error) {
      filter.nextBlock = Math.min(filter.nextBlock, from);
      throw error;
    }
  }

  /**
   * All logs of a filter, not only the new ones.
   * @throws RequestError FILTER_NOT_FOUND; as `LogQuery.run`
   */
  async logs(id: string): Promise<MinedLog[]> {
    const filter = this.filters.get(id);
    if (filter.kind !== 'logs') throw new RequestError('FILTER_NOT_FOUND', 'filter not found');
    return this.parts.query.run(filter.criteria);
  }

  remove(id: string): boolean {
    return this.filters.remove(id);
  }

  private nextBlock(): number {
    return this.parts.ledger.head().header.number + 1;
  }

  /** Logs of the blocks since the last poll, within the range of the filter. */
  private async newLogs(
    criteria: LogCriteria,
    since: { readonly from: number; readonly to: number },
  ): Promise<MinedLog[]> {
    const { fromBlock, toBlock, addresses, topics } = criteria;
    const from = typeof fromBlock === 'number' ? Math.max(fromBlock, since.from) : since.from;
    const to = typeof toBlock === 'number' ? Math.min(toBlock, since.to) : since.to;
    return from > to ? [] : this.parts.query.search({ fromBlock: from, toBlock: to, addresses, topics });
  }
}
