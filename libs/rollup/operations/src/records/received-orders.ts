import { splitTotalIndex } from '@tetrad/rollup-crypto';
import type { ReceivedQuery, RollupStore, StoredMoneyOrder } from '@tetrad/rollup-store';
import { isAccount } from './operation-records.js';
import { paginate, type Page } from './page.js';

type Store = Pick<RollupStore, 'findMoneyOrder' | 'findLatestAccount' | 'listReceivedOrders' | 'finalHeight'>;

/**
 * An order that is final and that the account can redeem or has redeemed; undefined for any other, and for one that was
 * forfeited because the account redeemed a later one.
 */
export async function findReceivedOrder(
  store: Store,
  accountId: number,
  totalIndex: number,
): Promise<StoredMoneyOrder | undefined> {
  const found = await store.findMoneyOrder(totalIndex);
  const order = found?.order;
  if (found === undefined || order === undefined || order.toAccountId !== accountId) return undefined;
  if (splitTotalIndex(totalIndex).batchHeight > (await store.finalHeight())) return undefined;
  if (found.redeemedHeight !== undefined) return { ...found, order };
  const account = await store.findLatestAccount(accountId);
  return account === undefined || account.redemptionIndex < totalIndex ? { ...found, order } : undefined;
}

export type ReceivedListQuery = Omit<ReceivedQuery, 'limit' | 'upToHeight'> & { readonly softLimit: number };

/** A page of such orders in the order of their total indexes. */
export async function listReceivedOrders(
  store: Store,
  { softLimit, ...query }: ReceivedListQuery,
): Promise<Page<StoredMoneyOrder>> {
  if (!isAccount(query.fromAccountId)) return { hasMoreResults: false, items: [] };
  const upToHeight = await store.finalHeight();
  return paginate(softLimit, await store.listReceivedOrders({ ...query, upToHeight, limit: softLimit + 1 }));
}
