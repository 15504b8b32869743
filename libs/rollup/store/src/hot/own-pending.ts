import { operation } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = operation;
const OWN = `
  SELECT asked.id, (SELECT count(*)::int FROM (
           SELECT FROM ${table}
            WHERE ${columns.status} = 'PENDING' AND NOT ${columns.waiting} AND ${columns.accountId} = asked.id
            LIMIT $2) AS own) AS pending
    FROM unnest($1::int[]) AS asked (id)`;

/**
 * Counts what of accounts can be executed, of each no more than decides.
 *
 * @param statements - of the transaction that stores
 * @param ids - of the accounts
 * @param limit - as far as is counted
 */
export async function readOwnPending(
  statements: Statements,
  ids: readonly number[],
  limit: number,
): Promise<Map<number, number>> {
  const { rows } = await statements.query<{ readonly id: number; readonly pending: number }>({
    name: 'own-pending',
    text: OWN,
    values: [ids, limit],
  });
  return new Map(rows.map(({ id, pending }) => [id, pending]));
}
