import type { BlocksByAddress } from '@tetrad/node-simulation';
import type { AddressIndexStore, AddressRow } from '@tetrad/node-store';
import type { Address } from '@tetrad/types';
import { CROWDED, PRIVATE_ONES, SCOPE, addressKey, type Scope } from './address-key.js';
import { ROLE, decodeEntries, type Entry } from './entries.js';
import { ENTRIES_OF_ROW } from './open-rows.js';
import { placeOfNumber, startOfBlock, type Place } from './place.js';

/** Transactions of one block on a page at most: an attacker may send thousands to an address in one block. */
const MAX_PAST_PAGE = 1_000;

/** Rows that are read at a time at most. */
const MAX_ROWS = 64;

/** A page of the transactions of an address. */
export interface HistoryPage {
  /** The newest first. */
  readonly places: readonly Place[];
  /** Whether there are transactions beyond the page, in the direction of the search. */
  readonly hasMore: boolean;
}

type Direction = 'before' | 'after';

/** Searches the index by address. */
export class AddressHistory {
  /** @param hashKey - of the index, which is another one once the index was made again */
  constructor(
    private readonly store: AddressIndexStore,
    private readonly hashKey: () => Uint8Array,
  ) {}

  /**
   * Transactions of the address in blocks before, or after, a block: whole blocks, until they are at least `size`.
   * @param options.blockNumber - which is not searched itself
   */
  async page(
    address: Address,
    { blockNumber, size, direction }: { blockNumber: number; size: number; direction: Direction },
  ): Promise<HistoryPage> {
    const place = startOfBlock(direction === 'before' ? blockNumber : blockNumber + 1);
    const key = addressKey(this.hashKey(), address);
    return this.pageOf(
      [SCOPE.public, SCOPE.private].map((scope) => ({ scope, key })),
      { place, size, direction },
    );
  }

  /**
   * The private transactions of all parties in blocks before a block, and the markers of such: as
   * `page`.
   */
  privatePage({ blockNumber, size }: { blockNumber: number; size: number }): Promise<HistoryPage> {
    const place = startOfBlock(blockNumber);
    return this.pageOf([{ scope: SCOPE.listed, key: PRIVATE_ONES }], { place, size, direction: 'before' });
  }

  /**
   * Up to so many transactions of the address before a place, the newest first, and among them those that name more
   * addresses than are indexed: of these it is not known.
   */
  async placesBefore(address: Address, before: number, most: number): Promise<Place[]> {
    const key = addressKey(this.hashKey(), address);
    const lists = [
      { scope: SCOPE.public, key },
      { scope: SCOPE.private, key },
      { scope: SCOPE.crowded, key: CROWDED },
    ];
    const found = await Promise.all(lists.map((list) => this.listPlaces(list, before, most)));
    const sorted = [...new Set(found.flat())].sort((one, other) => other - one);
    return sorted.slice(0, most).map(placeOfNumber);
  }

  private async listPlaces(
    list: { readonly scope: Scope; readonly key: bigint },
    before: number,
    most: number,
  ): Promise<number[]> {
    const places: number[] = [];
    for await (const row of this.rowsBefore(list, before)) {
      const entries = entriesOf(row).map(({ place }) => place);
      places.push(...entries.filter((place) => place < before).reverse());
      if (places.length >= most) break;
    }
    return places;
  }

  /** A page of whole blocks from the transactions of lists together. */
  private async pageOf(
    lists: readonly { readonly scope: Scope; readonly key: bigint }[],
    { place, size, direction }: { place: number; size: number; direction: Direction },
  ): Promise<HistoryPage> {
    const found = await Promise.all(lists.map((list) => this.collect(list, { place, size, direction })));
    const sign = direction === 'before' ? -1 : 1;
    const all = found.flatMap(({ places }) => places);
    const sorted = [...new Set(all)].sort((one, other) => sign * (one - other));
    const shown = wholeBlocks(sorted, size);
    const last = shown.at(-1)?.blockNumber;
    const isBeyond = sorted.slice(shown.length).some((number) => placeOfNumber(number).blockNumber !== last);
    // Of a block that was not read to its end it is unknown: the next page may be empty.
    const hasMore = isBeyond || found.some(({ isTruncated }) => isTruncated);
    return { places: direction === 'before' ? shown : shown.toReversed(), hasMore };
  }

  /** Where the address sent its transaction of this number, counted from 0 over all that are in the index. */
  async findSent(address: Address, number: number): Promise<Place | undefined> {
    const key = addressKey(this.hashKey(), address);
    const row = await this.store.findBySent({ scope: SCOPE.public, key }, number);
    if (row === undefined) return undefined;
    const sent = decodeEntries(row.first, row.entries).filter(({ roles }) => (roles & ROLE.sent) !== 0);
    const entry = sent[number - row.sentBefore];
    return entry && placeOfNumber(entry.place);
  }

  /**
   * Where the contract was created last; in private state where it was created there. It looks at all that the address has.
   * @param assertGoesOn - throws when the search is to end
   */
  async findCreation(address: Address, assertGoesOn: () => void): Promise<Place | undefined> {
    const key = addressKey(this.hashKey(), address);
    for (const scope of [SCOPE.public, SCOPE.private]) {
      for await (const row of this.rowsBefore({ scope, key }, Number.MAX_SAFE_INTEGER)) {
        assertGoesOn();
        if ((row.roles & ROLE.created) === 0) continue;
        const created = decodeEntries(row.first, row.entries).findLast(({ roles }) => roles & ROLE.created);
        if (created !== undefined) return placeOfNumber(created.place);
      }
    }
    return undefined;
  }

  /**
   * The blocks of a range with transactions that name one of the addresses, in ascending order; undefined when they are more
   * than `most`.
   * @param options.assertGoesOn - throws when the search is to end
   */
  async blocksOf(
    addresses: readonly Address[],
    { from, to, most, assertGoesOn }: Parameters<BlocksByAddress['find']>[1],
  ): Promise<number[] | undefined> {
    const keys = [...new Set(addresses)].map((address) => addressKey(this.hashKey(), address));
    const lists = [
      ...keys.flatMap((key) => [SCOPE.public, SCOPE.private].map((scope) => ({ scope, key }))),
      { scope: SCOPE.crowded, key: CROWDED },
    ];
    const blocks = new Set<number>();
    const end = startOfBlock(to + 1);
    for (const list of lists) {
      for await (const row of this.rowsBefore(list, end)) {
        assertGoesOn();
        const entries = entriesOf(row).filter(({ place }) => place < end);
        for (const { place } of entries) blocks.add(placeOfNumber(place).blockNumber);
        if (placeOfNumber(row.first).blockNumber < from) break;
        if (blocks.size > most + ENTRIES_OF_ROW) return undefined;
      }
    }
    const found = [...blocks].filter((number) => number >= from).sort((one, other) => one - other);
    return found.length > most ? undefined : found;
  }

  /** The places of one scope, in the direction of the search, until a page can be made of them. */
  private async collect(
    list: { readonly scope: Scope; readonly key: bigint },
    { place, size, direction }: { place: number; size: number; direction: Direction },
  ): Promise<{ readonly places: readonly number[]; readonly isTruncated: boolean }> {
    const places: number[] = [];
    const rows = direction === 'before' ? this.rowsBefore(list, place) : this.rowsAfter(list, place);
    for await (const row of rows) {
      const entries = entriesOf(row).map((entry) => entry.place);
      if (direction === 'before') places.push(...entries.filter((number) => number < place).reverse());
      else places.push(...entries.filter((number) => number >= place));
      if (hasWholePage(places, size)) return { places, isTruncated: false };
      if (places.length > size + MAX_PAST_PAGE) return { places, isTruncated: true };
    }
    return { places, isTruncated: false };
  }

  private async *rowsBefore(list: { readonly scope: Scope; readonly key: bigint }, place: number) {
    let next = place;
    for (let most = 1; ; most = Math.min(2 * most, MAX_ROWS)) {
      const rows = await this.store.listBefore(list, next, most);
      yield* rows;
      if (rows.length < most) return;
      next = rows.at(-1)?.first ?? 0;
    }
  }

  /** From the row in which the place may be. */
  private async *rowsAfter(list: { readonly scope: Scope; readonly key: bigint }, place: number) {
    const around = await this.store.findRowAt(list, place);
    if (around !== undefined) yield around;
    let next = around?.first ?? -1;
    for (let most = 1; ; most = Math.min(2 * most, MAX_ROWS)) {
      const rows = await this.store.listAfter(list, next, most);
      yield* rows;
      if (rows.length < most) return;
      next = rows.at(-1)?.first ?? next;
    }
  }
}

function entriesOf({ first, entries }: AddressRow): Entry[] {
  return decodeEntries(first, entries);
}

/** Whether a page of whole blocks, and the first transaction beyond it, are among the places. */
function hasWholePage(places: readonly number[], size: number): boolean {
  const [last, end] = [places[size - 1], places.at(-1)];
  if (last === undefined || end === undefined) return false;
  return placeOfNumber(end).blockNumber !== placeOfNumber(last).blockNumber;
}

/** The places of the first blocks with `size` transactions together, and at most `MAX_PAST_PAGE` more. */
function wholeBlocks(sorted: readonly number[], size: number): Place[] {
  const places = sorted.slice(0, size + MAX_PAST_PAGE).map(placeOfNumber);
  const last = places[size - 1];
  if (last === undefined) return places;
  const end = places.findIndex(({ blockNumber }, index) => index >= size && blockNumber !== last.blockNumber);
  return end === -1 ? places : places.slice(0, end);
}
