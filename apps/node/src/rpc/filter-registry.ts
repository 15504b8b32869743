import { randomBytes } from 'node:crypto';
import type { LogCriteria } from '@tetrad/api-node';
import { RefusalError, type Clock, type Hash } from '@tetrad/types';

/** What a client polls for, and up to where it has been told. */
export type Filter =
  | { readonly kind: 'logs'; readonly criteria: LogCriteria; nextBlock: number }
  | { readonly kind: 'blocks'; nextBlock: number }
  | { readonly kind: 'transactions'; readonly hashes: Hash[] };

interface Entry {
  readonly filter: Filter;
  usedMs: number;
}

/** Hashes kept for one filter; a client that does not poll loses the oldest. */
const MAX_HASHES = 100_000;

/** Polling filters; one that nobody asks for is forgotten after a while. */
export class FilterRegistry {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly options: { limit: number; expiryMs: number; clock: Clock }) {}

  /** Fails: RefusalError TOO_MANY_FILTERS. */
  add(filter: Filter): string {
    this.expire();
    if (this.entries.size >= this.options.limit) {
      throw new RefusalError('TOO_MANY_FILTERS', 'too many filters', { limit: this.options.limit });
    }
    const id = newFilterId();
    this.entries.set(id, { filter, usedMs: this.options.clock.now() });
    return id;
  }

  /** Fails: RefusalError FILTER_NOT_FOUND. */
  get(id: string): Filter {
    this.expire();
    const entry = this.entries.get(id);
    if (entry === undefined) throw new RefusalError('FILTER_NOT_FOUND', 'filter not found');
    entry.usedMs = this.options.clock.now();
    return entry.filter;
  }

  remove(id: string): boolean {
    return this.entries.delete(id);
  }

  /** Notes a transaction for everyone who polls for them. */
  noteTransaction(hash: Hash): void {
    for (const { filter } of this.entries.values()) {
      if (filter.kind !== 'transactions') continue;
      filter.hashes.push(hash);
      if (filter.hashes.length > MAX_HASHES) filter.hashes.shift();
    }
  }

  private expire(): void {
    const oldest = this.options.clock.now() - this.options.expiryMs;
    for (const [id, { usedMs }] of this.entries) if (usedMs < oldest) this.entries.delete(id);
  }
}

/** 128 random bits, so that one client cannot guess the filters of another. */
export function newFilterId(): string {
  return `0x${randomBytes(16).toString('hex')}`;
}
