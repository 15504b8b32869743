import { operation } from '../generated/tables.js';
import { maxRegistrations, type QueueLevel } from '../queue-share.js';
import type { Statements } from '../statements.js';

const { table, columns } = operation;

/**
 * What an earlier version has accepted without a bound is not counted to its end. What waits for a nonce before it keeps no place: it
 * could do so for good.
 */
const LEVEL = `
  SELECT count(*)::int AS operations, count(DISTINCT id)::int AS accounts,
         (SELECT count(*)::int FROM (
                 SELECT FROM ${table} WHERE ${columns.status} = 'PENDING' AND ${columns.accountId} IS NULL
                  LIMIT $2) AS waiting) AS registrations
    FROM (SELECT ${columns.accountId} AS id FROM ${table}
           WHERE ${columns.status} = 'PENDING' AND NOT ${columns.waiting} AND ${columns.accountId} IS NOT NULL
           LIMIT $1) AS ready`;

/**
 * Counts what can be executed, up to what makes a queue full.
 *
 * @param statements - of the transaction that stores
 * @param maxPending - operations of accounts that may wait
 */
export async function readQueueLevel(statements: Statements, maxPending: number): Promise<QueueLevel> {
  const { rows } = await statements.query<QueueLevel>({
    name: 'queue-level',
    text: LEVEL,
    values: [maxPending, maxRegistrations(maxPending)],
  });
  return rows[0] as QueueLevel;
}
