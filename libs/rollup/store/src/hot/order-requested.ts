import { columnsOf, qualified, type SqlRow } from '@tetrad/db';
import { UNFINISHED } from '../batch-rows.js';
import { batch, operation, requestedOperation } from '../generated/tables.js';
import type { RequestPlace, TokenProgress } from '../requests.js';
import type { Statements } from '../statements.js';

const FIELDS = ['blockNumber', 'logIndex'] as const;
const { table, columns } = requestedOperation;
const answered = qualified(requestedOperation, 'answered').columns;
const made = qualified(operation, 'made').columns;

/** What is left of a share is in proportion to the progress that is left, and to the amount. */
const BY_SHARE = `(${columns.progress} - COALESCE(token.reached, 0)) * ${columns.amount} NULLS LAST, ${columns.amount} DESC,
         ${columns.blockNumber}, ${columns.logIndex}`;

/**
 * Free accounts may have many open: those are put into order without their operations, which are long. What comes first
 * may be answered already by operations in batches that are not final, of which one answers all that its account has
 * asked for.
 */
const ORDER = `
  SELECT ${columnsOf(requestedOperation, FIELDS)} FROM ${table}
    LEFT JOIN json_to_recordset($1::json) AS token (id int, reached numeric) ON token.id = ${columns.tokenId}
   WHERE NOT ${columns.answered} AND ${columns.failure} IS NULL
   ORDER BY ${BY_SHARE}
   LIMIT $2 + (SELECT count(*) FROM ${table} AS answered
                WHERE NOT ${answered.answered} AND ${answered.accountId} IN (
                      SELECT ${made.accountId} FROM ${operation.table} AS made
                        JOIN ${batch.table} ON ${made.batchHeight} = ${batch.columns.height}
                       WHERE ${batch.columns.state} = ${UNFINISHED}))`;

/** Where open requests are, the largest share first. */
export async function orderRequested(
  statements: Statements,
  progress: readonly TokenProgress[],
  limit: number,
): Promise<RequestPlace[]> {
  const tokens = progress.map((token) => ({ id: token.tokenId, reached: String(token.progress) }));
  const { rows } = await statements.query<SqlRow<typeof requestedOperation, (typeof FIELDS)[number]>>({
    name: 'ordered-requests',
    text: ORDER,
    values: [JSON.stringify(tokens), limit],
  });
  return rows;
}
