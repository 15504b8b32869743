import type { AccountTotals, AuditedOperation, UnredeemedOrder } from './audit-report.js';

/**
 * Orders that were received in the period and are not in the balance after it.
 *
 * @param operations - of the period
 * @param closing - the account after it
 * @returns one for each order that was received and not redeemed in the period
 */
export function unredeemedOrders(
  operations: readonly AuditedOperation[],
  closing: AccountTotals,
): UnredeemedOrder[] {
  const redeemed = new Set(operations.flatMap((one) => (one.kind === 'redeemed' ? [one.orderIndex] : [])));
  return operations.flatMap((one) => {
    if (one.kind !== 'received' || redeemed.has(one.totalIndex)) return [];
    const { totalIndex, otherAccountId: fromAccountId, tokenId, amount } = one;
    const state = totalIndex > closing.redemptionIndex ? 'open' : 'forfeited';
    return [{ totalIndex, fromAccountId, tokenId, amount, state }];
  });
}
