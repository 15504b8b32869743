import type { ExecutionWrite } from '../execution-rows.js';
import { operation } from '../generated/tables.js';
import { jsonRecord } from '../json-record.js';
import type { Statements } from '../statements.js';

const { table, columns } = operation;
const record = jsonRecord(operation, { sequence: 'bigint', rejectionReason: 'text' });
const WRITE = `
  UPDATE ${table} SET ${columns.status} = 'REJECTED', ${columns.waiting} = false,
         ${columns.rejectionReason} = done."rejectionReason"
    FROM json_to_recordset($1::json) AS done (${record.definition})
   WHERE ${table}.${columns.sequence} = done."sequence"`;

/** Rejects operations, each for a reason. */
export async function writeRejected(
  statements: Statements,
  rejected: ExecutionWrite['rejected'],
): Promise<void> {
  if (rejected.length === 0) return;
  const written = rejected.map(({ sequence, reason }) => ({ sequence, rejectionReason: reason }));
  await statements.query({ name: 'write-rejected', text: WRITE, values: [JSON.stringify(written)] });
}
