import { operation } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = operation;

/**
 * Operations that are counted. What waits for a nonce before it has no bound but that of each account, and the metrics count
 * it again and again: a million takes a fraction of a second, and is more than any queue that is kept up with.
 */
const MAX_COUNTED = 1_000_000;

/** All conditions are those of partial indexes. */
const COUNT = `
  SELECT count(*) AS pending, count(DISTINCT id) AS accounts,
         coalesce(extract(epoch FROM now() - (
           SELECT ${columns.acceptedAt} FROM ${table} WHERE ${columns.status} = 'PENDING' AND NOT ${columns.waiting}
            ORDER BY ${columns.sequence} LIMIT 1)), 0)::float8 AS oldest
    FROM (SELECT ${columns.accountId} AS id FROM ${table} WHERE ${columns.status} = 'PENDING' LIMIT $1) AS counted`;

/**
 * Operations that are accepted and not executed, the accounts that have some, and the age of the oldest that can be executed, by the
 * clock of the database.
 *
 * @param from - the database
 * @param maxCounted - operations, and their accounts, are counted up to so many operations
 */
export async function countPending(
  from: Statements,
  maxCounted = MAX_COUNTED,
): Promise<{
  readonly pending: number;
  readonly accounts: number;
  readonly oldestSeconds: number;
}> {
  const { rows } = await from.query<{ pending: number; accounts: number; oldest: number }>({
    name: 'count-pending-operations',
    text: COUNT,
    values: [maxCounted],
  });
  const { pending = 0, accounts = 0, oldest = 0 } = rows[0] ?? {};
  return { pending, accounts, oldestSeconds: Math.max(oldest, 0) };
}
