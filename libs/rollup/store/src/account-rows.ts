import {
  decodeJointKey,
  decodePoint,
  decodeWord,
  type ConsentTerms,
  type JointKey,
  type Point,
} from '@tetrad/rollup-crypto';
import type { account } from './generated/tables.js';
import { numberOf, type ReadRow } from './read-row.js';
import { RollupStoreError } from './rollup-store-error.js';

/** What of an account never changes. */
export interface AccountDetails {
  readonly id: number;
  readonly publicKey: Point;
  readonly jointKey: JointKey;
  readonly blindingFactor: bigint;
  /** The batch that creates it. */
  readonly createdHeight: number;
}

/** An account as a batch leaves it. */
export interface StoredAccount extends AccountDetails {
  readonly nonce: number;
  readonly redemptionIndex: number;
  readonly balances: ReadonlyMap<number, bigint>;
  /** As the leaf has it; undefined in a rollup without consents. */
  readonly consent?: bigint | undefined;
  /** What opens it; undefined for none, and where that is not known. */
  readonly consentTerms?: ConsentTerms | undefined;
}

/** What of it a batch changes, when that can be read. */
export type AccountVersion = Pick<
  StoredAccount,
  'id' | 'nonce' | 'redemptionIndex' | 'balances' | 'consent' | 'consentTerms'
> & {
  readonly batchHeight: number;
};

/** The fields of what never changes. */
export const DETAILS_FIELDS = [
  'publicKey',
  'accountId',
  'jointKey',
  'blindingFactor',
  'createdHeight',
] as const;

/**
 * @param row - of an account that was executed
 * @throws RollupStoreError when it is damaged
 */
export function parseDetails(row: ReadRow<typeof account, (typeof DETAILS_FIELDS)[number]>): AccountDetails {
  const { accountId: id, blindingFactor } = row;
  const [publicKey, jointKey] = [decodePoint(row.publicKey), decodeJointKey(row.jointKey)];
  const createdHeight = numberOf(row.createdHeight);
  if (id === null || createdHeight === undefined || publicKey === undefined || jointKey === undefined)
    throw new RollupStoreError(`account ${id} of the database is damaged`);
  return { id, publicKey, jointKey, createdHeight, blindingFactor: decodeWord(blindingFactor) };
}

/** @param balances - as the column holds them: token id → base units as decimal text */
export function parseBalances(balances: unknown): ReadonlyMap<number, bigint> {
  const entries = Object.entries(balances as Readonly<Record<string, string>>);
  return new Map(entries.map(([tokenId, amount]) => [Number(tokenId), BigInt(amount)]));
}

/** As the column holds them. */
export function writtenBalances(balances: ReadonlyMap<number, bigint>): Record<string, string> {
  return Object.fromEntries([...balances].map(([tokenId, amount]) => [tokenId, String(amount)]));
}
