import type { ExecutionWrite } from '../execution-rows.js';
import { accountVersion } from '../generated/tables.js';
import { jsonRecord, type JsonRow } from '../json-record.js';
import type { Statements } from '../statements.js';

const { table, columns } = accountVersion;
const record = jsonRecord(accountVersion, { accountId: 'int', batchHeight: 'bigint' });
const WRITE = `
  INSERT INTO ${table} (${record.columns})
  SELECT ${record.values} FROM json_to_recordset($1::json) AS new (${record.definition})
  ON CONFLICT (${columns.accountId}, ${columns.batchHeight}) DO UPDATE
     SET ${columns.nonce} = NULL, ${columns.redemptionIndex} = NULL, ${columns.balances} = NULL,
         ${columns.consent} = NULL, ${columns.consentTerms} = NULL`;

/** Writes accounts that batches leave in a state that cannot be read. */
export async function writeOpaque(statements: Statements, opaque: ExecutionWrite['opaque']): Promise<void> {
  if (opaque.length === 0) return;
  const written = opaque.map(
    ({ id, batchHeight }): JsonRow<typeof accountVersion, 'accountId' | 'batchHeight'> => ({
      accountId: id,
      batchHeight,
    }),
  );
  await statements.query({ name: 'write-opaque', text: WRITE, values: [JSON.stringify(written)] });
}
