import type { Database } from '@tetrad/db';
import { decodeJointKey, decodePoint, decodeWord, type JointKey, type Point } from '@tetrad/rollup-crypto';
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
export interface AccountRow extends AccountDetails {
  readonly nonce: number;
  readonly redemptionIndex: number;
  readonly balances: ReadonlyMap<number, bigint>;
}

/** What of it a batch changes, when that can be read. */
export type AccountVersion = Pick<AccountRow, 'id' | 'nonce' | 'redemptionIndex' | 'balances'> & {
  readonly batchHeight: number;
};

type Statements = Pick<Database['pool'], 'query'>;

interface RawDetails {
  readonly public_key: Buffer;
  readonly account_id: number;
  readonly joint_key: Buffer;
  readonly blinding_factor: Buffer;
  readonly created_height: number;
}

interface RawAccount extends RawDetails {
  readonly nonce: number;
  readonly redemption_index: number;
  readonly balances: Readonly<Record<string, string>>;
}

const DETAILS =
  'account.public_key, account.account_id, account.joint_key, account.blinding_factor, account.created_height';

/** In: `ids` or `keys` (64 bytes each). Out: those that were executed, in no order. Fails: RollupStoreError */
export async function findAccountDetails(
  from: Statements,
  by: { readonly ids: readonly number[] } | { readonly keys: readonly Buffer[] },
): Promise<AccountDetails[]> {
  const [column, type, values] =
    'ids' in by ? ['account_id', 'int[]', by.ids] : (['public_key', 'bytea[]', by.keys] as const);
  const { rows } = await from.query<RawDetails>({
    name: `accounts-by-${column}`,
    text: `SELECT ${DETAILS} FROM account
            WHERE account.${column} = ANY($1::${type}) AND account.account_id IS NOT NULL`,
    values: [values],
  });
  return rows.map(parseDetails);
}

/**
 * Accounts as the batches up to a height leave them; without one, as all batches do. Those that are opaque then are
 * missing. Fails: RollupStoreError
 */
export async function findAccounts(
  from: Statements,
  ids: readonly number[],
  upToHeight?: number,
): Promise<AccountRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await from.query<RawAccount>({
    name: 'accounts-at-height',
    text: `
      SELECT ${DETAILS}, version.nonce, version.redemption_index, version.balances
        FROM unnest($1::int[]) AS wanted (id)
        JOIN account ON account.account_id = wanted.id
       CROSS JOIN LATERAL (
             SELECT nonce, redemption_index, balances FROM account_version
              WHERE account_version.account_id = wanted.id
                AND account_version.batch_height <= COALESCE($2::bigint, 9223372036854775807)
              ORDER BY batch_height DESC LIMIT 1) AS version
       WHERE version.balances IS NOT NULL`,
    values: [ids, upToHeight ?? null],
  });
  return rows.map((row) => ({
    ...parseDetails(row),
    ...{ nonce: row.nonce, redemptionIndex: row.redemption_index, balances: parseBalances(row.balances) },
  }));
}

function parseDetails(row: RawDetails): AccountDetails {
  const [publicKey, jointKey] = [decodePoint(row.public_key), decodeJointKey(row.joint_key)];
  if (publicKey === undefined || jointKey === undefined) {
    throw new RollupStoreError(`account ${row.account_id} of the database is damaged`);
  }
  return {
    ...{ id: row.account_id, publicKey, jointKey, createdHeight: row.created_height },
    blindingFactor: decodeWord(row.blinding_factor),
  };
}

function parseBalances(balances: Readonly<Record<string, string>>): ReadonlyMap<number, bigint> {
  return new Map(Object.entries(balances).map(([tokenId, amount]) => [Number(tokenId), BigInt(amount)]));
}

/** As the column holds them. */
export function writtenBalances(balances: ReadonlyMap<number, bigint>): Record<string, string> {
  return Object.fromEntries([...balances].map(([tokenId, amount]) => [tokenId, String(amount)]));
}

/** Accounts that the batches have created, and those of them that the last batch left in a state that cannot be read. */
export async function countAccounts(
  from: Statements,
): Promise<{ readonly accounts: number; readonly opaqueAccounts: number }> {
  const { rows } = await from.query<{ accounts: number; opaque: number }>({
    name: 'count-accounts',
    text: `
      SELECT count(*) AS accounts, count(*) FILTER (WHERE balances IS NULL) AS opaque
        FROM (SELECT DISTINCT ON (account_id) balances FROM account_version
               ORDER BY account_id, batch_height DESC) AS latest`,
  });
  return { accounts: rows[0]?.accounts ?? 0, opaqueAccounts: rows[0]?.opaque ?? 0 };
}
