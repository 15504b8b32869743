import { accountVersion } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = accountVersion;
const COUNT = `
  SELECT count(*) AS accounts, count(*) FILTER (WHERE balances IS NULL) AS opaque
    FROM (SELECT DISTINCT ON (${columns.accountId}) ${columns.balances} AS balances FROM ${table}
           ORDER BY ${columns.accountId}, ${columns.batchHeight} DESC) AS latest`;

/** Accounts that the batches have created, and those of them that the last batch left in a state that cannot be read. */
export async function countAccounts(
  from: Statements,
): Promise<{ readonly accounts: number; readonly opaqueAccounts: number }> {
  const { rows } = await from.query<{ accounts: number; opaque: number }>({
    name: 'count-accounts',
    text: COUNT,
  });
  return { accounts: rows[0]?.accounts ?? 0, opaqueAccounts: rows[0]?.opaque ?? 0 };
}
