import type { AccountVersion } from '../account-rows.js';
import { operation } from '../generated/tables.js';
import { jsonRecord } from '../json-record.js';
import type { Statements } from '../statements.js';

const { table, columns } = operation;
const record = jsonRecord(operation, { accountId: 'int', nonce: 'bigint' });
const WAKE = `
  UPDATE ${table} SET ${columns.waiting} = false
   WHERE ${columns.sequence} IN (
         SELECT ${table}.${columns.sequence} FROM ${table}
           JOIN json_to_recordset($1::json) AS now (${record.definition})
             ON ${table}.${columns.accountId} = now."accountId"
          WHERE ${table}.${columns.status} = 'PENDING' AND ${table}.${columns.waiting}
            AND ${table}.${columns.nonce} <= now."nonce" + 1
            FOR UPDATE OF ${table} SKIP LOCKED)`;

/** Operations that waited for a nonce that is now used can be executed; those being replaced at this moment are skipped. */
export async function wakeWaiting(
  statements: Statements,
  versions: readonly Pick<AccountVersion, 'id' | 'nonce'>[],
): Promise<void> {
  if (versions.length === 0) return;
  const reached = versions.map(({ id, nonce }) => ({ accountId: id, nonce }));
  await statements.query({ name: 'wake-waiting', text: WAKE, values: [JSON.stringify(reached)] });
}
