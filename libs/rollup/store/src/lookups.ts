import { LookupGroup, asBuffer } from '@tetrad/db';
import { encodePoint, type Point } from '@tetrad/rollup-crypto';
import type { AccountDetails, StoredAccount } from './account-rows.js';
import { findAccountDetails } from './hot/find-account-details.js';
import { findAccounts } from './hot/find-accounts.js';
import { findMoneyOrders } from './hot/find-money-orders.js';
import type { FoundMoneyOrder } from './money-order-rows.js';
import type { Statements } from './statements.js';

/** Look-ups for requests; those that come together become one statement. */
export interface Lookups {
  /** An executed account. */
  findAccountById(id: number): Promise<AccountDetails | undefined>;
  findAccountByKey(publicKey: Point): Promise<AccountDetails | undefined>;
  /** As all batches leave it. */
  findLatestAccount(id: number): Promise<StoredAccount | undefined>;
  /** @param totalIndex - 6 bytes */
  findMoneyOrder(totalIndex: number): Promise<FoundMoneyOrder | undefined>;
}

/** Statements of one kind of look-up under way at a time, and when the first look-up starts one. */
const OPTIONS = { statements: 2, start: queueMicrotask };

export function openLookups(from: Statements): Lookups {
  const byId = new LookupGroup<AccountDetails>({
    ...OPTIONS,
    read: (keys) => findAccountDetails(from, { ids: keys.map(idOf) }),
    keyOf: ({ id }) => idBytes(id),
  });
  const byKey = new LookupGroup<AccountDetails>({
    ...OPTIONS,
    read: (keys) => findAccountDetails(from, { keys }),
    keyOf: ({ publicKey }) => encodePoint(publicKey),
  });
  const latest = new LookupGroup<StoredAccount>({
    ...OPTIONS,
    read: (keys) => findAccounts(from, keys.map(idOf)),
    keyOf: ({ id }) => idBytes(id),
  });
  const orders = new LookupGroup<FoundMoneyOrder>({
    ...OPTIONS,
    read: (keys) =>
      findMoneyOrders(
        from,
        keys.map((key) => key.readUIntBE(0, INDEX_BYTES)),
      ),
    keyOf: ({ totalIndex }) => indexBytes(totalIndex),
  });
  return {
    findAccountById: (id) => byId.find(idBytes(id)),
    findAccountByKey: (publicKey) => byKey.find(asBuffer(encodePoint(publicKey))),
    findLatestAccount: (id) => latest.find(idBytes(id)),
    findMoneyOrder: (totalIndex) => orders.find(indexBytes(totalIndex)),
  };
}

function idBytes(id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id);
  return bytes;
}

const idOf = (key: Buffer) => key.readUInt32BE();

const INDEX_BYTES = 6;

function indexBytes(totalIndex: number): Buffer {
  const bytes = Buffer.alloc(INDEX_BYTES);
  bytes.writeUIntBE(totalIndex, 0, INDEX_BYTES);
  return bytes;
}
