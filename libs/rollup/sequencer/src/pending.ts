import { isFullCreation } from '@tetrad/rollup-crypto';
import {
  signingAccountId,
  type Deposit,
  type OpenRequest,
  type SequenceStep,
  type StoredOperation,
} from '@tetrad/rollup-store';
import type { Ordered } from './fair-order.js';

/** What waits for its place in a batch. */
export type Pending = Ordered<OpenRequest, Deposit, StoredOperation>;

/** Places of what may be credited: two, and the one before them that stays empty where two do not fit. */
const CREDITED_PLACES = 3;

/** What may be credited in a step. */
export interface StepCredits {
  /** Payments that let it. */
  readonly hasConsents: boolean;
  readonly creditsDeposits: boolean;
}

/** Places that it takes at most. */
export function placesOf(one: Pending, { hasConsents, creditsDeposits }: StepCredits): number {
  const mayBeCredited =
    ('deposit' in one && creditsDeposits) || ('accepted' in one && hasConsents && isDirect(one.accepted));
  return mayBeCredited ? CREDITED_PLACES : 1;
}

/** Requests that are not among what a step executes. */
export function leftOf(open: readonly OpenRequest[], pending: readonly Pending[]): readonly OpenRequest[] {
  const served = new Set(pending.map((one) => ('request' in one ? one.request : undefined)));
  return open.filter((request) => !served.has(request));
}

/** As Rollup.sol: one in a batch makes the contract refuse the batch. */
const isShortCreation = ({ operation }: StoredOperation) =>
  operation.kind === 'createAccount' && !isFullCreation(operation.ciphertext);

/** Rejects creations whose text does not name the account's key, and gives the others. */
export async function withoutShort(
  step: Pick<SequenceStep, 'rejectRegistrations'>,
  operations: readonly StoredOperation[],
): Promise<readonly StoredOperation[]> {
  await step.rejectRegistrations(operations.filter(isShortCreation));
  return operations.filter((operation) => !isShortCreation(operation));
}

/** A payment that the receiver's account may be credited with. */
const isDirect = ({ operation }: StoredOperation) =>
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
