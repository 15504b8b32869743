import { writtenBalances } from '../account-rows.js';
import type { ExecutionWrite } from '../execution-rows.js';
import { accountVersion } from '../generated/tables.js';
import { jsonRecord, type JsonRow } from '../json-record.js';
import type { Statements } from '../statements.js';

const { table, columns } = accountVersion;
const record = jsonRecord(accountVersion, {
  ...({ accountId: 'int', batchHeight: 'bigint', nonce: 'bigint' } as const),
  ...({ redemptionIndex: 'bigint', balances: 'jsonb' } as const),
});
const WRITE = `
  INSERT INTO ${table} (${record.columns})
  SELECT ${record.values} FROM json_to_recordset($1::json) AS new (${record.definition})
  ON CONFLICT (${columns.accountId}, ${columns.batchHeight}) DO UPDATE
     SET ${columns.nonce} = excluded.${columns.nonce}, ${columns.balances} = excluded.${columns.balances},
         ${columns.redemptionIndex} = excluded.${columns.redemptionIndex}`;

type Written = JsonRow<
  typeof accountVersion,
  'accountId' | 'batchHeight' | 'nonce' | 'redemptionIndex' | 'balances'
>;

/** Writes accounts as batches leave them. */
export async function writeVersions(
  statements: Statements,
  versions: ExecutionWrite['versions'],
): Promise<void> {
  if (versions.length === 0) return;
  const written = versions.map(({ id, batchHeight, nonce, redemptionIndex, balances }): Written => ({
    ...{ accountId: id, batchHeight, nonce, redemptionIndex, balances: writtenBalances(balances) },
  }));
  await statements.query({ name: 'write-versions', text: WRITE, values: [JSON.stringify(written)] });
}
