import type { deposit } from './generated/tables.js';
import { integerOf, type ReadRow } from './read-row.js';

/** A deposit as the contract's events have it. */
export interface Deposit {
  readonly index: number;
  readonly accountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
}

/** What is read of a deposit. */
export const DEPOSIT_FIELDS = ['index', 'accountId', 'tokenId', 'amount'] as const;

/** The typed row. */
export function parseDeposit({
  index,
  accountId,
  tokenId,
  amount,
}: ReadRow<typeof deposit, (typeof DEPOSIT_FIELDS)[number]>): Deposit {
  return { index: Number(index), accountId, tokenId, amount: integerOf(amount) };
}
