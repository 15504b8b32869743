import type { AddressRow } from '@tetrad/node-store';
import type { Scope } from './address-key.js';
import type { IndexedEntry } from './block-entries.js';
import { ROLE, decodeEntries, encodeEntry } from './entries.js';

/** Entries of one row. */
export const ENTRIES_OF_ROW = 128;

/** Newest rows that are kept in memory; about 300 bytes each. */
const MAX_KEPT = 20_000;

interface OpenRow {
  readonly first: number;
  readonly sentBefore: number;
  last: number;
  count: number;
  sent: number;
  roles: number;
  entries: Uint8Array;
}

/** The newest row of each address, which takes its next entries until it is full. */
export class OpenRows {
  private readonly rows = new Map<string, OpenRow | undefined>();

  /** @param findNewest - the newest stored rows of addresses */
  constructor(
    private readonly findNewest: (scope: Scope, keys: readonly bigint[]) => Promise<AddressRow[]>,
  ) {}

  /** Forgets all of them: a write has failed, and what is stored decides. */
  clear(): void {
    this.rows.clear();
  }

  /** Adds entries in the order of the chain; the rows to store for them, which are new or have grown. */
  async add(entries: readonly IndexedEntry[]): Promise<AddressRow[]> {
    const full: AddressRow[] = [];
    const touched = new Map<string, IndexedEntry>();
    await this.load(entries);
    for (const entry of entries) {
      const name = nameOf(entry);
      const row = this.rows.get(name);
      if (row !== undefined && row.count < ENTRIES_OF_ROW) grow(row, entry);
      else {
        if (row !== undefined && touched.has(name)) full.push(toRow(entry, row));
        this.rows.set(name, newRow(entry, row));
      }
      touched.set(name, entry);
    }
    return [...full, ...[...touched].map(([name, entry]) => toRow(entry, this.rows.get(name) as OpenRow))];
  }

  /** The last changes are stored: rows that are kept no longer can be read again. */
  settle(): void {
    for (const name of this.rows.keys()) {
      if (this.rows.size <= MAX_KEPT) break;
      this.rows.delete(name);
    }
  }

  private async load(entries: readonly IndexedEntry[]): Promise<void> {
    const missing = new Map<Scope, Set<bigint>>();
    for (const entry of entries) {
      const name = nameOf(entry);
      if (this.rows.has(name)) continue;
      this.rows.set(name, undefined);
      const keys = missing.get(entry.scope) ?? new Set();
      missing.set(entry.scope, keys.add(entry.key));
    }
    for (const [scope, keys] of missing)
      for (const row of await this.findNewest(scope, [...keys]))
        this.rows.set(nameOf({ scope, key: row.key }), fromRow(row));
  }
}

function nameOf({ scope, key }: Pick<IndexedEntry, 'scope' | 'key'>): string {
  return `${scope} ${key}`;
}

function grow(row: OpenRow, entry: IndexedEntry): void {
  row.entries = Buffer.concat([row.entries, encodeEntry(entry, row.last)]);
  row.last = entry.place;
  row.count += 1;
  row.sent += entry.roles & ROLE.sent ? 1 : 0;
  row.roles |= entry.roles;
}

function toRow({ scope, key }: IndexedEntry, row: OpenRow): AddressRow {
  const { first, sentBefore, roles, entries } = row;
  return { scope, key, first, sentBefore, roles, entries };
}

function newRow(entry: IndexedEntry, before: OpenRow | undefined): OpenRow {
  const { place, roles } = entry;
  const sentBefore = before === undefined ? 0 : before.sentBefore + before.sent;
  const row = { first: place, sentBefore, last: place, count: 0, sent: 0, roles };
  const open: OpenRow = { ...row, entries: new Uint8Array(0) };
  grow(open, entry);
  return open;
}

function fromRow({ first, sentBefore, roles, entries }: AddressRow): OpenRow {
  const decoded = decodeEntries(first, entries);
  const sent = decoded.filter((entry) => (entry.roles & ROLE.sent) !== 0).length;
  const last = decoded.at(-1)?.place ?? first;
  return { first, sentBefore, last, count: decoded.length, sent, roles, entries };
}
