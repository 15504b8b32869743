import { randomBytes } from 'node:crypto';
import type { LogCriteria } from '@tetrad/api-node';
import { RequestError, type Clock } from '@tetrad/types';
import type { CriteriaSpace } from './criteria-space.js';

/** What a client polls for, and up to where it has been told. */
export type Filter =
  | { readonly kind: 'logs'; readonly criteria: LogCriteria; nextBlock: number }
  /** A position in the list of new blocks, or in that of new transactions. */
  | { readonly kind: 'blocks' | 'transactions'; next: number };

interface Entry {
  readonly filter: Filter;
  usedMs: number;
}

/** Polling filters; one that nobody asks for is forgotten after a while. */
export class FilterRegistry {
  /** Those that were asked for last at the end. */
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly options: {
      readonly limit: number;
      readonly expiryMs: number;
      readonly clock: Clock;
      readonly criteria: CriteriaSpace;
    },
  ) {}

  /** Fails: RequestError TOO_MANY_FILTERS. */
  add(filter: Filter): string {
    this.expire();
    const { limit, clock, criteria } = this.options;
    if (this.entries.size >= limit || !criteria.take(criteriaOf(filter))) {
      throw new RequestError('TOO_MANY_FILTERS', 'too many filters', { limit });
    }
    const id = newFilterId();
    this.entries.set(id, { filter, usedMs: clock.now() });
    return id;
  }

  /** Fails: RequestError FILTER_NOT_FOUND. */
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
    if (entry !== undefined) this.options.criteria.giveBack(criteriaOf(entry.filter));
    return this.entries.delete(id);
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
