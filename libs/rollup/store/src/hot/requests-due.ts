import { requestedOperation } from '../generated/tables.js';
import type { TokenProgress } from '../requests.js';
import type { Statements } from '../statements.js';
import { OVERDUE_AT, tokensOf } from './request-load.js';

const { table, columns } = requestedOperation;

/** A request that is not measured has no time yet. */
const DUE = `
  SELECT due."accountId"
    FROM (SELECT ${columns.accountId} AS "accountId", ${OVERDUE_AT} AS "overdueAt"
            FROM ${table}
            LEFT JOIN json_to_recordset($1::json) AS token (id int, reached numeric, held numeric)
              ON token.id = ${columns.tokenId}
           WHERE NOT ${columns.answered} AND ${columns.progress} IS NOT NULL) AS due
   WHERE due."overdueAt" <= $4
   ORDER BY due."overdueAt"
   LIMIT $5`;

/**
 * Accounts with an open request that is overdue until a time (Unix time in seconds), the first one first. The parameters
 * are those of `readRequestLoad`.
 */
export async function listRequestsDue(
  from: Statements,
  progress: readonly TokenProgress[],
  {
    atSeconds,
    timeoutSeconds,
    untilSeconds,
    limit,
  }: {
    readonly atSeconds: number;
    readonly timeoutSeconds: number;
    readonly untilSeconds: number;
    readonly limit: number;
  },
): Promise<number[]> {
  const { rows } = await from.query<{ accountId: number }>({
    name: 'requests-due',
    text: DUE,
    values: [tokensOf(progress), atSeconds, timeoutSeconds, untilSeconds, limit],
  });
  return rows.map(({ accountId }) => Number(accountId));
}
