import type { OperationStatus, ReceivedStatus, rollupHolderMethods } from '@tetrad/api-rollup-operator';
import type { ResultOf } from '@tetrad/rpc';
import { OperatorError } from '@tetrad/types';
import type { OperatorClient } from './operator-client.js';

type Methods = typeof rollupHolderMethods;
type ItemOf<Name extends keyof Methods> =
  ResultOf<Methods[Name]> extends { readonly items: readonly (infer Item)[] } ? Item : never;

export type CreationItem = ItemOf<'pazkp_listMoneyOrderCreations'>;
export type RedemptionItem = ItemOf<'pazkp_listMoneyOrderRedemptions'>;
export type ReceivedItem = ItemOf<'pazkp_listMoneyOrdersReceived'>;
export type OutboundItem = ItemOf<'pazkp_listOutboundTransferCreations'>;
export type ConsentItem = ItemOf<'rollup_listConsentChanges'>;
export type CreditItem = ItemOf<'rollup_listCredits'>;

interface OperationFilter {
  readonly accountId: number;
  /** First nonce; by default all. */
  readonly fromNonce?: number;
  readonly status?: OperationStatus;
}

/** Records of a page, which the operator cuts after so many. */
const SOFT_LIMIT = 200;

/** Orders that the account made, by nonce. */
export function listCreations(
  operator: OperatorClient,
  filter: OperationFilter,
): AsyncGenerator<CreationItem> {
  const { accountId, status } = filter;
  return pages(filter.fromNonce ?? 0, {
    fetch: (from) =>
      operator.call('pazkp_listMoneyOrderCreations', [from, SOFT_LIMIT, accountId, undefined, status]),
    place: ({ nonce }) => nonce,
  });
}

/** Redemptions of the account, by nonce. */
export function listRedemptions(
  operator: OperatorClient,
  filter: OperationFilter,
): AsyncGenerator<RedemptionItem> {
  const { accountId, status } = filter;
  return pages(filter.fromNonce ?? 0, {
    fetch: (from) =>
      operator.call('pazkp_listMoneyOrderRedemptions', [from, SOFT_LIMIT, undefined, accountId, status]),
    place: ({ nonce }) => nonce,
  });
}

/** Transfers of the account out of the rollup, by nonce. */
export function listOutboundTransfers(
  operator: OperatorClient,
  filter: OperationFilter,
): AsyncGenerator<OutboundItem> {
  const { accountId, status } = filter;
  return pages(filter.fromNonce ?? 0, {
    fetch: (from) =>
      operator.call('pazkp_listOutboundTransferCreations', [from, SOFT_LIMIT, accountId, undefined, status]),
    place: ({ nonce }) => nonce,
  });
}

/** Consents of the account and their ends, by nonce; for operators of contracts that have them. */
export function listConsentChanges(
  operator: OperatorClient,
  filter: OperationFilter,
): AsyncGenerator<ConsentItem> {
  const { accountId, status } = filter;
  return pages(filter.fromNonce ?? 0, {
    fetch: (from) => operator.call('rollup_listConsentChanges', [from, SOFT_LIMIT, accountId, status]),
    place: ({ nonce }) => nonce,
  });
}

/** What was credited to the account in final batches, by total index; for operators of contracts with consents. */
export function listCredits(
  operator: OperatorClient,
  filter: { readonly accountId: number; readonly fromIndex?: number },
): AsyncGenerator<CreditItem> {
  return pages(filter.fromIndex ?? 0, {
    fetch: (from) => operator.call('rollup_listCredits', [from, SOFT_LIMIT, filter.accountId, undefined]),
    place: ({ totalIndex }) => totalIndex,
  });
}

/** Orders for the account that are final, by total index. */
export function listReceived(
  operator: OperatorClient,
  filter: { readonly accountId: number; readonly fromIndex?: number; readonly status?: ReceivedStatus },
): AsyncGenerator<ReceivedItem> {
  const { accountId, status } = filter;
  return pages(filter.fromIndex ?? 0, {
    fetch: (from) =>
      operator.call('pazkp_listMoneyOrdersReceived', [from, SOFT_LIMIT, undefined, accountId, status]),
    place: ({ moneyOrderTotalIndex }) => moneyOrderTotalIndex,
  });
}

/**
 * The records of all pages, of which one is in memory at a time. A page is never cut between records of one place, so the
 * next one begins after the last place.
 * @throws OperatorError when a page does not come after the one before: it would never end
 */
async function* pages<Item>(
  first: number,
  list: {
    fetch(from: number): Promise<{ readonly hasMoreResults: boolean; readonly items: readonly Item[] }>;
    place(item: Item): number;
  },
): AsyncGenerator<Item> {
  let from = first;
  for (;;) {
    const { hasMoreResults, items } = await list.fetch(from);
    let last = from;
    for (const item of items) {
      if (list.place(item) < last) throw new OperatorError('the operator lists records out of order');
      last = list.place(item);
      yield item;
    }
    if (!hasMoreResults) return;
    if (items.length === 0) throw new OperatorError('the operator announces more records and returns none');
    from = last + 1;
  }
}
