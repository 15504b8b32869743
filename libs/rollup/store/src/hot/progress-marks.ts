import { batch, operation, sequenceHead } from '../generated/tables.js';
import type { ProgressMarks } from '../progress-rows.js';
import { RollupStoreError } from '../rollup-store-error.js';
import type { Statements } from '../statements.js';

const { table, columns } = batch;
const READ = `
  SELECT ${sequenceHead.columns.version} AS version,
         COALESCE((SELECT max(${operation.columns.sequence}) FROM ${operation.table}), 0) AS accepted,
         COALESCE((SELECT min(${columns.height}) - 1 FROM ${table} WHERE ${columns.state} IN ('open', 'sealed', 'proving')),
                  (SELECT max(${columns.height}) FROM ${table}), 0) AS "provenHeight",
         COALESCE((SELECT max(${columns.height}) FROM ${table} WHERE ${columns.state} = 'final'), 0) AS "finalHeight"
    FROM ${sequenceHead.table} WHERE ${sequenceHead.columns.id} = 1`;

/** @throws RollupStoreError when there is no head of the sequence */
export async function readProgressMarks(from: Statements): Promise<ProgressMarks> {
  const [marks] = (await from.query<ProgressMarks>({ name: 'progress-marks', text: READ })).rows;
  if (marks === undefined) throw new RollupStoreError('the head of the sequence is missing in the database');
  return marks;
}
