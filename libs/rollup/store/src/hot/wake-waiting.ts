import type { AccountVersion } from '../account-rows.js';
import { accountQuota, operation } from '../generated/tables.js';
import { jsonRecord } from '../json-record.js';
import type { Statements } from '../statements.js';
import { ALL_ACCOUNTS } from './read-arrivals.js';

const { table, columns } = operation;
const quota = accountQuota.columns;
const record = jsonRecord(operation, { accountId: 'int', nonce: 'bigint' });
const WAKE = `
  UPDATE ${table} SET ${columns.waiting} = false, ${columns.turn} = greatest(${table}.${columns.turn}, present.turn)
    FROM (SELECT coalesce(
                 (SELECT ${columns.turn} FROM ${table}
                   WHERE ${columns.status} = 'PENDING' AND NOT ${columns.waiting} AND ${columns.accountId} IS NOT NULL
                   ORDER BY ${columns.turn} LIMIT 1),
                 (SELECT ${quota.turn} FROM ${accountQuota.table} WHERE ${quota.accountId} = ${ALL_ACCOUNTS}),
                 0) AS turn) AS present
   WHERE ${table}.${columns.sequence} IN (
         SELECT ${table}.${columns.sequence} FROM ${table}
           JOIN json_to_recordset($1::json) AS now (${record.definition})
             ON ${table}.${columns.accountId} = now."accountId"
          WHERE ${table}.${columns.status} = 'PENDING' AND ${table}.${columns.waiting}
            AND ${table}.${columns.nonce} <= now."nonce" + 1
            FOR UPDATE OF ${table} SKIP LOCKED)`;

/**
 * Operations that waited for a nonce that is now used can be executed, in the present turn: a stock of them does not come before what others sent
 * meanwhile. Those being replaced at this moment are skipped.
 */
export async function wakeWaiting(
  statements: Statements,
  versions: readonly Pick<AccountVersion, 'id' | 'nonce'>[],
): Promise<void> {
  if (versions.length === 0) return;
  const reached = versions.map(({ id, nonce }) => ({ accountId: id, nonce }));
  await statements.query({ name: 'wake-waiting', text: WAKE, values: [JSON.stringify(reached)] });
}
