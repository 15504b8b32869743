import { operation } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = operation;

/** Both conditions are those of partial indexes. */
const COUNT = `
  SELECT (SELECT count(*) FROM ${table} WHERE ${columns.status} = 'PENDING') AS pending,
         coalesce(extract(epoch FROM now() - (
           SELECT ${columns.acceptedAt} FROM ${table} WHERE ${columns.status} = 'PENDING' AND NOT ${columns.waiting}
            ORDER BY ${columns.sequence} LIMIT 1)), 0)::float8 AS oldest`;

/** Operations that are accepted and not executed, and the age of the oldest that can be executed, by the clock of the database. */
export async function countPending(
  from: Statements,
): Promise<{ readonly pending: number; readonly oldestSeconds: number }> {
  const { rows } = await from.query<{ pending: number; oldest: number }>({
    ...{ name: 'count-pending-operations', text: COUNT },
  });
  return { pending: rows[0]?.pending ?? 0, oldestSeconds: Math.max(rows[0]?.oldest ?? 0, 0) };
}
