import { columnsOf, type SqlRow } from '@tetrad/db';
import { DETAILS_FIELDS, parseDetails, type AccountDetails } from '../account-rows.js';
import { account } from '../generated/tables.js';
import type { Statements } from '../statements.js';

type Row = SqlRow<typeof account, (typeof DETAILS_FIELDS)[number]>;

const { table, columns } = account;
const SELECT = `SELECT ${columnsOf(account, DETAILS_FIELDS)} FROM ${table}`;
const BY_ID = `${SELECT} WHERE ${columns.accountId} = ANY($1::int[])`;
const BY_KEY = `${SELECT} WHERE ${columns.publicKey} = ANY($1::bytea[]) AND ${columns.accountId} IS NOT NULL`;

/**
 * Reads what never changes of many accounts in one statement.
 *
 * @param by - `ids` or `keys` (64 bytes each)
 * @returns those that were executed, in no order
 * @throws RollupStoreError when a row is damaged
 */
export async function findAccountDetails(
  from: Statements,
  by: { readonly ids: readonly number[] } | { readonly keys: readonly Buffer[] },
): Promise<AccountDetails[]> {
  const statement =
    'ids' in by
      ? { name: 'accounts-by-id', text: BY_ID, values: [by.ids] }
      : { name: 'accounts-by-key', text: BY_KEY, values: [by.keys] };
  return (await from.query<Row>(statement)).rows.map(parseDetails);
}
