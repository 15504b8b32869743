import { clientBytes, type Database } from '@tetrad/db';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import { findNewestAddressRows, putAddressRows, type StoredAddressRow } from './hot/address-rows.js';
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

/** Transactions of an address; what the members mean is for the index to say. */
export interface AddressRow {
  /** Below 4. */
  readonly scope: number;
  /** Of 62 bits. */
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
/** The largest number of the column. */
const MAX_SENT = 2 ** 31 - 1;
/** Scopes share a column with the keys. */
const SCOPES = 4n;
/** Of the row that says how far the index is; a former version has 1, with rows of another table. */
const HEAD = { id: 2 };

/** The rows of the index by address, and how far it is: both change in one transaction. */
export class AddressIndexStore {
  constructor(
    private readonly database: Database,
    private readonly client: NodeClient,
    private readonly lock: InstanceLock,
  ) {}

  /** Undefined for an index that has not begun. */
  async findHead(): Promise<AddressIndexHead | undefined> {
    const row = await (await this.client.calls()).addressIndexHead.findUnique({ where: HEAD });
    return row === null
      ? undefined
      : {
          hashKey: row.hashKey,
          blockNumber: Number(row.blockNumber),
          blockHash: hashFromBytes(row.blockHash),
          callsFrom: Number(row.callsFrom),
        };
  }

  /**
   * Stores rows and moves the head, in one transaction.
   * @param rows - those that are there have grown
   */
  async write(head: AddressIndexHead, rows: readonly AddressRow[]): Promise<void> {
    await this.lock.hold();
    await this.client.transaction(async (calls, statements) => {
      await putAddressRows(statements, rows.map(toStored));
      const data = {
        hashKey: clientBytes(head.hashKey),
        blockNumber: BigInt(head.blockNumber),
        blockHash: clientBytes(hashToBytes(head.blockHash)),
        callsFrom: BigInt(head.callsFrom),
      };
      await calls.addressIndexHead.upsert({ where: HEAD, create: { ...HEAD, ...data }, update: data });
    });
  }

  /** Removes the index, so that it is made again. */
  async clear(): Promise<void> {
    await this.lock.hold();
    await this.client.transaction(removeAddressIndex);
  }

  /** The newest row of each address of one scope, as far as it has one. */
  async findNewest(scope: number, keys: readonly bigint[]): Promise<AddressRow[]> {
    const found: AddressRow[] = [];
    for (let from = 0; from < keys.length; from += KEYS_OF_QUERY) {
      const lists = keys.slice(from, from + KEYS_OF_QUERY).map((key) => listOf({ scope, key }));
      found.push(...(await findNewestAddressRows(this.database.pool, lists)).map(fromStored));
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
    const where = { sentBefore: { lte: Math.min(sent, MAX_SENT) } };
    const [row] = await this.list({ scope, key }, where, { order: 'desc', most: 1 });
    return row;
  }

  private async list(
    { scope, key }: AddressOfRows,
    where: { readonly first?: object; readonly sentBefore?: object },
    { order, most }: { readonly order: 'asc' | 'desc'; readonly most: number },
  ): Promise<AddressRow[]> {
    const rows = await (
      await this.client.calls()
    ).addressRow.findMany({
      where: { list: listOf({ scope, key }), ...where },
      orderBy: { first: order },
      take: most,
    });
    return rows.map((row) => fromStored({ ...row, first: Number(row.first) }));
  }
}

/** Removes all rows of the index, and those of a former version, in the transaction of the calls. */
export async function removeAddressIndex(calls: NodeCalls): Promise<void> {
  await calls.addressRow.deleteMany();
  await calls.addressEntries.deleteMany();
  await calls.addressIndexHead.deleteMany();
}

function listOf({ scope, key }: AddressOfRows): bigint {
  return key * SCOPES + BigInt(scope);
}

function toStored({ scope, key, ...row }: AddressRow): StoredAddressRow {
  return { ...row, list: listOf({ scope, key }) };
}

function fromStored({ list, first, sentBefore, roles, entries }: StoredAddressRow): AddressRow {
  const scope = BigInt.asUintN(2, list);
  return { scope: Number(scope), key: (list - scope) / SCOPES, first, sentBefore, roles, entries };
}
