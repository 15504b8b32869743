import { randomBytes } from 'node:crypto';
import type { LogCriteria } from '@tetrad/api-node';
import { RequestError, type Clock } from '@tetrad/types';
import { CriteriaSpace } from './criteria-space.js';

/** What a client polls for, and the position of its last poll. */
export type Filter =
  | { readonly kind: 'logs'; readonly criteria: LogCriteria; nextBlock: number }
  /** A position in the list of new blocks, or in that of new transactions. */
  | { readonly kind: 'blocks' | 'transactions'; next: number };

interface Entry {
  readonly filter: Filter;
  readonly owner: string;
  usedMs: number;
}

/** Resources used by the filters of one owner. */
interface Share {
  filters: number;
  readonly criteria: CriteriaSpace;
}

/** Limit on addresses and topics in the filters of one owner: a tenth of the limit of all. */
const MAX_CRITERIA_OF_ONE = 100_000;

/** Polling filters; one that is not polled expires after a while. */
export class FilterRegistry {
  /** Most recently polled last. */
  private readonly entries = new Map<string, Entry>();
  /** By owner, for owners with filters. */
  private readonly shares = new Map<string, Share>();

  constructor(
    private readonly options: {
      readonly limit: number;
      /** Limit on filters of one owner, so that one cannot use up the limit of all. */
      readonly share: number;
      readonly expiryMs: number;
      readonly clock: Clock;
      readonly criteria: CriteriaSpace;
    },
  ) {}

  /**
   * @param owner - see `shareOwner`
   * @throws RequestError TOO_MANY_FILTERS
   */
  add(filter: Filter, owner: string): string {
    this.expire();
    const { limit, clock, criteria } = this.options;
    const share = this.takeShare(owner, filter);
    if (this.entries.size >= limit || !criteria.take(criteriaOf(filter))) {
      this.giveShareBack(owner, share, filter);
      throw new RequestError('TOO_MANY_FILTERS', 'too many filters', { limit });
    }
    const id = newFilterId();
    this.entries.set(id, { filter, owner, usedMs: clock.now() });
    return id;
  }

  /** @throws RequestError FILTER_NOT_FOUND */
  get(id: string): Filter {
    this.expire();
    const entry = this.entries.get(id);
    if (entry === undefined) throw new RequestError('FILTER_NOT_FOUND', 'filter not found');
    entry.usedMs = this.options.clock.now();
    this.entries.delete(id);
    this.entries.set(id, entry);
    return entry.filter;
  }

  remove(id: string): boolean {
    const entry = this.entries.get(id);
    if (entry === undefined) return false;
    const { filter, owner } = entry;
    this.options.criteria.giveBack(criteriaOf(filter));
    const share = this.shares.get(owner);
    if (share !== undefined) this.giveShareBack(owner, share, filter);
    return this.entries.delete(id);
  }

  private takeShare(owner: string, filter: Filter): Share {
    const { share: limit } = this.options;
    const share = this.shares.get(owner) ?? { filters: 0, criteria: new CriteriaSpace(MAX_CRITERIA_OF_ONE) };
    if (share.filters >= limit || !share.criteria.take(criteriaOf(filter))) {
      throw new RequestError('TOO_MANY_FILTERS', 'too many filters of one caller', { limit });
    }
    share.filters++;
    this.shares.set(owner, share);
    return share;
  }

  private giveShareBack(owner: string, share: Share, filter: Filter): void {
    share.criteria.giveBack(criteriaOf(filter));
    if (--share.filters === 0) this.shares.delete(owner);
  }

  private expire(): void {
    const oldest = this.options.clock.now() - this.options.expiryMs;
    for (const [id, { usedMs }] of this.entries) {
      if (usedMs >= oldest) return;
      this.remove(id);
    }
  }
}

function criteriaOf(filter: Filter): LogCriteria | undefined {
  return filter.kind === 'logs' ? filter.criteria : undefined;
}

/** 128 random bits, so that one client cannot guess the filters of another. */
export function newFilterId(): string {
  return `0x${randomBytes(16).toString('hex')}`;
}
