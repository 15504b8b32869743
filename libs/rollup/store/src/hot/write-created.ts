import { encodePoint } from '@tetrad/rollup-crypto';
import type { ExecutionWrite } from '../execution-rows.js';
import { account } from '../generated/tables.js';
import { hexOf, jsonRecord, type JsonRow } from '../json-record.js';
import type { Statements } from '../statements.js';

const { table, columns } = account;
const record = jsonRecord(account, { publicKey: 'bytea', accountId: 'int', createdHeight: 'bigint' });
const WRITE = `
  UPDATE ${table} SET ${columns.accountId} = made."accountId", ${columns.createdHeight} = made."createdHeight"
    FROM json_to_recordset($1::json) AS made (${record.definition})
   WHERE ${table}.${columns.publicKey} = decode(made."publicKey", 'hex')`;

type Written = JsonRow<typeof account, 'publicKey' | 'accountId' | 'createdHeight'>;

/** Gives registered accounts their ids. */
export async function writeCreated(
  statements: Statements,
  created: ExecutionWrite['created'],
): Promise<void> {
  if (created.length === 0) return;
  const written = created.map(({ publicKey, id, createdHeight }): Written => ({
    publicKey: hexOf(encodePoint(publicKey)),
    accountId: id,
    createdHeight,
  }));
  await statements.query({ name: 'write-created', text: WRITE, values: [JSON.stringify(written)] });
}
