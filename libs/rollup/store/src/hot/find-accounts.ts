import { columnsOf, namesOf, type SqlRow } from '@tetrad/db';
import { decodeWord } from '@tetrad/rollup-crypto';
import { DETAILS_FIELDS, parseBalances, parseDetails, type StoredAccount } from '../account-rows.js';
import { parseTerms } from '../consent-rows.js';
import { account, accountVersion } from '../generated/tables.js';
import { here } from '../read-row.js';
import type { Statements } from '../statements.js';

const VERSION_FIELDS = ['nonce', 'redemptionIndex', 'balances', 'consent', 'consentTerms'] as const;
type Row = SqlRow<typeof account, (typeof DETAILS_FIELDS)[number]> &
  SqlRow<typeof accountVersion, (typeof VERSION_FIELDS)[number]>;

const { columns: details } = account;
const { table: versions, columns: version } = accountVersion;

const FIND = `
  SELECT ${columnsOf(account, DETAILS_FIELDS)}, ${columnsOf(accountVersion, VERSION_FIELDS)}
    FROM unnest($1::int[]) AS wanted (id)
    JOIN ${account.table} ON ${account.table}.${details.accountId} = wanted.id
   CROSS JOIN LATERAL (
         SELECT ${namesOf(accountVersion, VERSION_FIELDS)} FROM ${versions}
          WHERE ${versions}.${version.accountId} = wanted.id
            AND ${versions}.${version.batchHeight} <= COALESCE($2::bigint, 9223372036854775807)
          ORDER BY ${version.batchHeight} DESC LIMIT 1) AS latest
   WHERE ${version.balances} IS NOT NULL`;

/**
 * Accounts as the batches up to a height leave them; without one, as all batches do. Those that are opaque then are missing.
 *
 * @throws RollupStoreError when a row is damaged
 */
export async function findAccounts(
  from: Statements,
  ids: readonly number[],
  upToHeight?: number,
): Promise<StoredAccount[]> {
  if (ids.length === 0) return [];
  const { rows } = await from.query<Row>({
    name: 'accounts-at-height',
    text: FIND,
    values: [ids, upToHeight ?? null],
  });
  return rows.map((row) => ({
    ...parseDetails(row),
    nonce: here(row.nonce),
    redemptionIndex: here(row.redemptionIndex),
    balances: parseBalances(row.balances),
    ...(row.consent === null ? {} : { consent: decodeWord(row.consent) }),
    ...(row.consentTerms === null ? {} : { consentTerms: parseTerms(row.consentTerms) }),
  }));
}
