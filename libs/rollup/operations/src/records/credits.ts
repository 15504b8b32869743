import type { CreditQuery, RollupStore, StoredCredit } from '@tetrad/rollup-store';
import { isAccount } from './operation-records.js';
import { paginate, type Page } from './page.js';

export type CreditListQuery = Omit<CreditQuery, 'limit' | 'upToHeight'> & { readonly softLimit: number };

/**
 * A page of what was credited to an account in final batches.
 *
 * @param store - of the operator
 * @param query - whose, from which total index on, and how many
 * @returns credits in the order of their total indexes
 */
export async function listCreditRecords(
  store: Pick<RollupStore, 'finalHeight' | 'listCredits'>,
  { softLimit, ...query }: CreditListQuery,
): Promise<Page<StoredCredit>> {
  if (!isAccount(query.fromAccountId)) return { hasMoreResults: false, items: [] };
  const upToHeight = await store.finalHeight();
  return paginate(softLimit, await store.listCredits({ ...query, upToHeight, limit: softLimit + 1 }));
}
