import { operation } from '../generated/tables.js';
import { jsonRecord, type JsonRow } from '../json-record.js';
import type { Statements } from '../statements.js';

/** Why an operation is rejected whose account has signed another with its nonce. */
export const REPLACED = 'REPLACED_BY_OPERATION_WITH_SAME_NONCE';

const { table, columns } = operation;
const taken = jsonRecord(operation, { hash: 'bytea', accountId: 'int', nonce: 'bigint' });

const REPLACE = `
  UPDATE ${table} SET ${columns.status} = 'REJECTED', ${columns.rejectionReason} = '${REPLACED}', ${columns.waiting} = false
    FROM json_to_recordset($1::json) AS new (${taken.definition})
   WHERE ${table}.${columns.accountId} = new."accountId" AND ${table}.${columns.nonce} = new."nonce"
     AND ${table}.${columns.status} = 'PENDING' AND ${table}.${columns.hash} <> decode(new."hash", 'hex')`;

/** Rejects what is pending with the nonces that these operations take. */
export async function replacePending(
  statements: Statements,
  taking: readonly JsonRow<typeof operation, 'hash' | 'accountId' | 'nonce'>[],
): Promise<void> {
  if (taking.length === 0) return;
  const places = taking.map(({ hash, accountId, nonce }) => ({ hash, accountId, nonce }));
  await statements.query({ name: 'replace-pending', text: REPLACE, values: [JSON.stringify(places)] });
}
