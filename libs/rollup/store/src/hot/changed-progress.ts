import { operationKinds } from '@tetrad/rollup-crypto';
import { accountVersion, credit as creditTable, operation } from '../generated/tables.js';
import type { AccountProgress, ProgressQuery } from '../progress-rows.js';
import type { Statements } from '../statements.js';

const { table: versions, columns: version } = accountVersion;
const { table: operations, columns } = operation;
const { table: credits, columns: credit } = creditTable;
const { createMoneyOrder, redeemMoneyOrder, outboundTransfer, setConsent } = operationKinds;

/** Rows of an account that are looked through: rejected ones stay, and their number has no bound. */
const MAX_ROWS = 2_000;

const nonceUpTo = (name: string, height: string) => `
    LEFT JOIN LATERAL (
      SELECT ${version.nonce} AS nonce FROM ${versions}
       WHERE ${version.accountId} = changed.id AND ${version.batchHeight} <= ${height}
       ORDER BY ${version.batchHeight} DESC LIMIT 1) AS ${name} ON true`;

/** Of the receiver's credits, through the index of the account. */
const creditUpTo = (height: string) => `
  (SELECT max(${credit.totalIndex}) FROM ${credits}
    WHERE ${credit.toAccountId} = changed.id AND ${credit.totalIndex} < (${height}::bigint + 1) * 65536)`;

/** Reads what was touched, which is little, whatever the number of accounts that are watched. */
const READ = `
  WITH touched (id) AS MATERIALIZED (
    SELECT ${version.accountId} FROM ${versions} WHERE ${version.batchHeight} > $3
     UNION
    SELECT ${columns.accountId} FROM ${operations} WHERE ${columns.sequence} > $4
  ), changed (id) AS (
    SELECT unnest($2::int[])
     UNION
    SELECT touched.id FROM touched JOIN unnest($1::int[]) AS watched (id) ON watched.id = touched.id
  )
  SELECT changed.id AS "accountId", executed.nonce AS executed, proved.nonce AS proved, final.nonce AS final, above.pending,
         ${creditUpTo('4294967295')} AS "executedCredit", ${creditUpTo('$5')} AS "provedCredit", ${creditUpTo('$6')} AS "finalCredit"
    FROM changed ${nonceUpTo('executed', '9223372036854775807')} ${nonceUpTo('proved', '$5')} ${nonceUpTo('final', '$6')}
   CROSS JOIN LATERAL (
         SELECT count(*) FILTER (WHERE status = 'PENDING') AS pending
           FROM (SELECT ${columns.status} AS status FROM ${operations}
                  WHERE ${columns.accountId} = changed.id AND ${columns.nonce} > executed.nonce
                    AND ${columns.kind} IN (${createMoneyOrder}, ${redeemMoneyOrder}, ${outboundTransfer}, ${setConsent})
                  LIMIT ${MAX_ROWS}) AS looked) AS above`;

/**
 * Progress of accounts that may have changed since a look before.
 * @returns in no order
 */
export async function findChangedProgress(
  from: Statements,
  { watched, certain, since, marks }: ProgressQuery,
): Promise<AccountProgress[]> {
  const { rows } = await from.query<{
    readonly accountId: number;
    readonly executed: number | null;
    readonly proved: number | null;
    readonly final: number | null;
    readonly pending: number;
    readonly executedCredit: number | null;
    readonly provedCredit: number | null;
    readonly finalCredit: number | null;
  }>({
    name: 'changed-progress',
    text: READ,
    values: [watched, certain, since.finalHeight, since.accepted, marks.provenHeight, marks.finalHeight],
  });
  return rows.map(({ accountId, executed, proved, final, pending, ...credits }) => ({
    accountId,
    executedNonce: executed ?? undefined,
    provedNonce: proved ?? undefined,
    finalNonce: final ?? undefined,
    pendingOperations: pending,
    executedCredit: credits.executedCredit ?? undefined,
    provedCredit: credits.provedCredit ?? undefined,
    finalCredit: credits.finalCredit ?? undefined,
  }));
}
