import { isFullCreation } from '@tetrad/rollup-crypto';
import { signingAccountId, type Deposit, type OpenRequest, type StoredOperation } from '@tetrad/rollup-store';
import type { Ordered } from './fair-order.js';

/** What waits for its place in a batch. */
export type Pending = Ordered<OpenRequest, Deposit, StoredOperation>;

/** As Rollup.sol: one in a batch makes the contract refuse the batch. */
export const isShortCreation = ({ operation }: StoredOperation) =>
  operation.kind === 'createAccount' && !isFullCreation(operation.ciphertext);

/** A payment that the receiver's account may be credited with. */
export const isDirect = ({ operation }: StoredOperation) =>
  operation.kind === 'createMoneyOrder' && operation.isDirect === true;

/** Accounts whose consents are asked for. */
export function receiversOf(pending: readonly Pending[], creditsDeposits: boolean): number[] {
  return pending.flatMap((one) => {
    if ('deposit' in one) return creditsDeposits ? [one.deposit.accountId] : [];
    if (!('accepted' in one) || one.accepted.operation.kind !== 'createMoneyOrder') return [];
    return isDirect(one.accepted) ? [one.accepted.operation.order.toAccountId] : [];
  });
}

/** The row of an operation; a deposit has none. */
export function storedOf(one: Pending): readonly StoredOperation[] {
  if ('request' in one) return [one.request.stored];
  return 'accepted' in one ? [one.accepted] : [];
}

/** Accounts that sign the operations. */
export function accountsOf(operations: readonly StoredOperation[]): Set<number> {
  const ids = operations.map(({ operation }) => signingAccountId(operation));
  return new Set(ids.filter((id) => id !== undefined));
}
