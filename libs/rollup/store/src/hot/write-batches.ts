import type { WrittenBatch } from '../execution-rows.js';
import { batch } from '../generated/tables.js';
import { jsonRecord } from '../json-record.js';
import type { Statements } from '../statements.js';

const { table, columns } = batch;
const record = jsonRecord(batch, {
  height: 'bigint',
  state: 'text',
  operations: 'int',
  size: 'int',
  inboundFrom: 'bigint',
  inboundTo: 'bigint',
} as const);

/** When a batch was sealed is by the clock of the database, as when it was opened. */
const WRITE = `
  INSERT INTO ${table} (${record.columns}, ${columns.sealedAt})
  SELECT ${record.values}, CASE WHEN "state" = 'sealed' THEN now() END
    FROM json_to_recordset($1::json) AS new (${record.definition})
   ORDER BY "height"
  ON CONFLICT (${columns.height}) DO UPDATE
     SET ${columns.state} = excluded.${columns.state}, ${columns.operations} = excluded.${columns.operations},
         ${columns.size} = excluded.${columns.size}, ${columns.inboundTo} = excluded.${columns.inboundTo},
         ${columns.sealedAt} = excluded.${columns.sealedAt}`;

/** Writes batches that are filled, and the one that is open. */
export async function writeBatches(statements: Statements, batches: readonly WrittenBatch[]): Promise<void> {
  if (batches.length === 0) return;
  await statements.query({ name: 'write-batches', text: WRITE, values: [JSON.stringify(batches)] });
}
