import { operation } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = operation;

/** Both conditions are those of partial indexes. */
const COUNT = `
  SELECT count(*) AS pending, count(DISTINCT ${columns.accountId}) AS accounts,
         coalesce(extract(epoch FROM now() - (
           SELECT ${columns.acceptedAt} FROM ${table} WHERE ${columns.status} = 'PENDING' AND NOT ${columns.waiting}
            ORDER BY ${columns.sequence} LIMIT 1)), 0)::float8 AS oldest
    FROM ${table} WHERE ${columns.status} = 'PENDING'`;

/**
 * Operations that are accepted and not executed, the accounts that have some, and the age of the oldest that can be executed, by the
 * clock of the database.
 */
export async function countPending(from: Statements): Promise<{
  readonly pending: number;
  readonly accounts: number;
  readonly oldestSeconds: number;
}> {
  const { rows } = await from.query<{ pending: number; accounts: number; oldest: number }>({
    name: 'count-pending-operations',
    text: COUNT,
  });
  const { pending = 0, accounts = 0, oldest = 0 } = rows[0] ?? {};
  return { pending, accounts, oldestSeconds: Math.max(oldest, 0) };
}
