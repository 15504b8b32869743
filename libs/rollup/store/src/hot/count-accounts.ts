import { operationKinds } from '@tetrad/rollup-crypto';
import { accountVersion, opaquePlace } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = accountVersion;
const { setConsent, credit } = operationKinds;
const place = opaquePlace.columns;
/** Whether an account that cannot be read has given a consent, or had something credited, since it could be. */
const HAD_CONSENT = `
  EXISTS (SELECT FROM ${opaquePlace.table}
           WHERE ${opaquePlace.table}.${place.accountId} = latest.id AND ${place.kind} IN (${setConsent}, ${credit}))`;
const COUNT = `
  SELECT count(*) AS accounts, count(*) FILTER (WHERE balances IS NULL) AS opaque,
         count(*) FILTER (WHERE CASE WHEN balances IS NULL THEN ${HAD_CONSENT}
                                 ELSE terms IS NULL AND consent <> decode(repeat('00', 32), 'hex') END) AS closed
    FROM (SELECT DISTINCT ON (${columns.accountId}) ${columns.accountId} AS id, ${columns.balances} AS balances, ${columns.consent} AS consent,
                 ${columns.consentTerms} AS terms FROM ${table}
           ORDER BY ${columns.accountId}, ${columns.batchHeight} DESC) AS latest`;

/** Accounts that the batches have created. */
export interface AccountCounts {
  readonly accounts: number;
  /** Those of them that the last batch left in a state that cannot be read. */
  readonly opaqueAccounts: number;
  /** Those whose consent is not open to the operator, or that cannot be read and may have one. */
  readonly closedConsents: number;
}

/** Counts accounts as the last batch left them; reads every version. */
export async function countAccounts(from: Statements): Promise<AccountCounts> {
  const { rows } = await from.query<{ accounts: number; opaque: number; closed: number }>({
    name: 'count-accounts',
    text: COUNT,
  });
  const { accounts = 0, opaque = 0, closed = 0 } = rows[0] ?? {};
  return { accounts, opaqueAccounts: opaque, closedConsents: closed };
}
