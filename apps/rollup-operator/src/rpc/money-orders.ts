import type { pazkpMoneyOrderMethods } from '@tetrad/api-rollup-operator';
import { splitTotalIndex } from '@tetrad/rollup-crypto';
import {
  findOperationRecord,
  findReceivedOrder,
  listOperationRecords,
  listReceivedOrders,
} from '@tetrad/rollup-operations';
import type { StoredMoneyOrder } from '@tetrad/rollup-store';
import type { Handlers } from '@tetrad/rpc';
import { acceptMoneyOrder } from './accept-money-order.js';
import type { OperatorParts } from './operator-parts.js';
import {
  creationRecord,
  moneyOrderView,
  orderItem,
  pageView,
  hashOfWord,
  wordOfHash,
} from './wire-records.js';

export function moneyOrderHandlers(
  parts: Pick<OperatorParts, 'acceptance' | 'accounts' | 'proofs' | 'store'>,
): Handlers<typeof pazkpMoneyOrderMethods> {
  return { ...creationHandlers(parts), ...receivedHandlers(parts) };
}

type OfReceiver = 'pazkp_findReceivedMoneyOrder' | 'pazkp_listMoneyOrdersReceived';

/** Methods of the account that pays. */
function creationHandlers({
  store,
  accounts,
  acceptance,
}: Pick<OperatorParts, 'acceptance' | 'accounts' | 'store'>): Handlers<
  Omit<typeof pazkpMoneyOrderMethods, OfReceiver>
> {
  return {
    pazkp_createMoneyOrder: (params) => acceptMoneyOrder(acceptance, params),
    pazkp_findMoneyOrderCreation: async ([operationHash]) => {
      const record = await findOperationRecord(store, wordOfHash(operationHash), 'createMoneyOrder');
      return record === undefined ? null : creationRecord(record);
    },
    pazkp_listMoneyOrderCreations: async ([
      fromNonce,
      softLimit,
      fromAccountId,
      toAccountId,
      status,
      minAmount,
      maxAmount,
    ]) => {
      await accounts.get(fromAccountId);
      const query = { fromAccountId, toAccountId, status, minAmount, maxAmount };
      const window = { kind: 'createMoneyOrder', fromNonce, softLimit } as const;
      return pageView(await listOperationRecords(store, { ...window, ...query }), orderItem);
    },
  };
}

/** Methods of the account that is paid. */
function receivedHandlers({
  store,
  accounts,
  proofs,
}: Pick<OperatorParts, 'accounts' | 'proofs' | 'store'>): Handlers<
  Pick<typeof pazkpMoneyOrderMethods, OfReceiver>
> {
  return {
    pazkp_findReceivedMoneyOrder: async ([accountId, totalIndex]) => {
      const received = await findReceivedOrder(store, accountId, totalIndex);
      if (received === undefined) return null;
      const path = await proofs.pathOf(totalIndex);
      return { ...receivedItem(received), merkleProof: path.map(hashOfWord) };
    },
    pazkp_listMoneyOrdersReceived: async ([
      fromTotalIndex,
      softLimit,
      fromAccountId,
      toAccountId,
      status,
      minAmount,
      maxAmount,
    ]) => {
      await accounts.get(toAccountId);
      const redeemed = status === undefined ? undefined : status === 'REDEEMED';
      const query = { fromAccountId, toAccountId, redeemed, minAmount, maxAmount };
      const window = { fromTotalIndex, softLimit };
      return pageView(await listReceivedOrders(store, { ...window, ...query }), receivedItem);
    },
  };
}

function receivedItem({ order, totalIndex }: StoredMoneyOrder) {
  return {
    moneyOrder: moneyOrderView(order),
    moneyOrderTotalIndex: totalIndex,
    batchHeight: splitTotalIndex(totalIndex).batchHeight,
  };
}
