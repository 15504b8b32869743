import { clientBytes } from '@tetrad/db';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import type { InstanceLock } from './instance-lock.js';
import type { NodeCalls, NodeClient } from './node-client.js';

/** How far the index is. */
export interface AddressIndexHead {
  /** Key of the hashes that stand for addresses. */
  readonly hashKey: Uint8Array;
  readonly blockNumber: number;
  readonly blockHash: Hash;
  /** Calls between contracts are in the index from this block on. */
  readonly callsFrom: number;
}

/** The head as it is stored. */
export interface StoredIndexHead extends AddressIndexHead {
  /** Whether private transactions are listed up to the head: a former version does not list them. */
  readonly hasPrivateOnes: boolean;
}

/** Transactions of an address; what the members mean is for the index to say. */
export interface AddressRow {
  readonly scope: number;
  readonly key: bigint;
  /** Place of the first transaction. */
  readonly first: number;
  readonly sentBefore: number;
  readonly roles: number;
  readonly entries: Uint8Array;
}

/** Rows of one address in one scope. */
export interface AddressOfRows {
  readonly scope: number;
  readonly key: bigint;
}

/** Addresses of one query. */
const KEYS_OF_QUERY = 1_000;

/** The rows of the index by address, and how far it is: both change in one transaction. */
export class AddressIndexStore {
  constructor(
    private readonly client: NodeClient,
    private readonly lock: InstanceLock,
  ) {}

  /** Undefined for an index that has not begun. */
  async findHead(): Promise<StoredIndexHead | undefined> {
    const row = await (await this.client.calls()).addressIndexHead.findUnique({ where: { id: 1 } });
    return row === null
      ? undefined
      : {
          hashKey: row.hashKey,
          blockNumber: Number(row.blockNumber),
          blockHash: hashFromBytes(row.blockHash),
          callsFrom: Number(row.callsFrom),
          hasPrivateOnes: row.privateOnesTo === row.blockNumber,
        };
  }

  /** Stores rows and moves the head, in one transaction. */
  async write(
    head: AddressIndexHead,
    { added, grown }: { readonly added: readonly AddressRow[]; readonly grown: readonly AddressRow[] },
  ): Promise<void> {
    await this.lock.hold();
    await this.client.transaction(async (calls) => {
      await calls.addressEntries.createMany({ data: added.map(toData) });
      for (const row of grown) await updateRow(calls, row);
      const data = {
        hashKey: clientBytes(head.hashKey),
        blockNumber: BigInt(head.blockNumber),
        blockHash: clientBytes(hashToBytes(head.blockHash)),
        callsFrom: BigInt(head.callsFrom),
        privateOnesTo: BigInt(head.blockNumber),
      };
      await calls.addressIndexHead.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data });
    });
  }

  /** Removes the index, so that it is made again. */
  async clear(): Promise<void> {
    await this.lock.hold();
    await this.client.transaction(removeAddressIndex);
  }

  /**
   * The newest row of each address, as far as it has one.
   * @param addresses - of one scope, 1,000 at a time
   */
  async findNewest(scope: number, addresses: readonly bigint[]): Promise<AddressRow[]> {
    const calls = await this.client.calls();
    const found: AddressRow[] = [];
    for (let from = 0; from < addresses.length; from += KEYS_OF_QUERY) {
      const address = { in: addresses.slice(from, from + KEYS_OF_QUERY) };
      const newest = await calls.addressEntries.groupBy({
        by: ['address'],
        where: { scope, address },
        _max: { first: true },
      });
      if (newest.length === 0) continue;
      const places = newest.flatMap(({ address: key, _max: { first } }) =>
        first === null ? [] : [{ address: key, first }],
      );
      const rows = await calls.addressEntries.findMany({ where: { scope, OR: places } });
      found.push(...rows.map(toRow));
    }
    return found;
  }

  /** The newest row whose first transaction is not after the place. */
  async findRowAt({ scope, key }: AddressOfRows, place: number): Promise<AddressRow | undefined> {
    const [row] = await this.list(
      { scope, key },
      { first: { lte: BigInt(place) } },
      { order: 'desc', most: 1 },
    );
    return row;
  }

  /** Rows whose first transaction is before the place, the newest first. */
  listBefore(address: AddressOfRows, place: number, most: number): Promise<AddressRow[]> {
    return this.list(address, { first: { lt: BigInt(place) } }, { order: 'desc', most });
  }

  /** Rows whose first transaction is after the place, the oldest first. */
  listAfter(address: AddressOfRows, place: number, most: number): Promise<AddressRow[]> {
    return this.list(address, { first: { gt: BigInt(place) } }, { order: 'asc', most });
  }

  /** The newest row before which the address had sent at most so many transactions. */
  async findBySent({ scope, key }: AddressOfRows, sent: number): Promise<AddressRow | undefined> {
    const [row] = await this.list({ scope, key }, { sentBefore: { lte: sent } }, { order: 'desc', most: 1 });
    return row;
  }

  private async list(
    { scope, key }: AddressOfRows,
    where: { readonly first?: object; readonly sentBefore?: object },
    { order, most }: { readonly order: 'asc' | 'desc'; readonly most: number },
  ): Promise<AddressRow[]> {
    const rows = await (
      await this.client.calls()
    ).addressEntries.findMany({
      where: { scope, address: key, ...where },
      orderBy: { first: order },
      take: most,
    });
    return rows.map(toRow);
  }
}

/** Removes all rows of the index, in the transaction of the calls. */
export async function removeAddressIndex(calls: NodeCalls): Promise<void> {
  await calls.addressEntries.deleteMany();
  await calls.addressIndexHead.deleteMany();
}

function toRow({
  address: key,
  first,
  ...row
}: Omit<AddressRow, 'key' | 'first'> & { readonly address: bigint; readonly first: bigint }): AddressRow {
  return { ...row, key, first: Number(first) };
}

function toData({ scope, key, first, sentBefore, roles, entries }: AddressRow) {
  return { scope, address: key, first: BigInt(first), sentBefore, roles, entries: clientBytes(entries) };
}

function updateRow(calls: NodeCalls, { scope, key: address, first, roles, entries }: AddressRow) {
  return calls.addressEntries.update({
    where: { scope_address_first: { scope, address, first: BigInt(first) } },
    data: { roles, entries: clientBytes(entries) },
    select: { scope: true },
  });
}
