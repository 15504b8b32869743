import { columnsOf, type SqlRow } from '@tetrad/db';
import { hashFromBytes } from '@tetrad/types';
import { UNFINISHED } from '../batch-rows.js';
import { batch, lease, submission } from '../generated/tables.js';
import { PROVING_LEASES } from '../lease-rows.js';
import type { QueuedBatch, QueuedState } from '../queue-rows.js';
import type { Statements } from '../statements.js';

const BATCH_FIELDS = [
  'height',
  'state',
  'operations',
  'size',
  'openedAt',
  'sealedAt',
  'transactionHash',
  'failure',
] as const;
const LEASE_FIELDS = ['holder', 'since'] as const;

/** A batch; its prover, if there is one now; and its newest submission, if there is one. */
type Row = SqlRow<typeof batch, (typeof BATCH_FIELDS)[number]> &
  (SqlRow<typeof lease, 'holder' | 'since'> | { readonly holder: null }) & {
    readonly submittedAt: Date | null;
  };

const { state, height } = batch.columns;
const { columns: leased } = lease;
const { columns: sent } = submission;
const LIST = `
  SELECT ${columnsOf(batch, BATCH_FIELDS)}, ${columnsOf(lease, LEASE_FIELDS)}, newest."submittedAt"
    FROM (SELECT * FROM ${batch.table} WHERE ${state} = ${UNFINISHED} ORDER BY ${height} LIMIT $1) AS queued
    LEFT JOIN ${lease.table} ON ${lease.table}.${leased.name} = $2 || queued.${height}
          AND ${lease.table}.${leased.expiresAt} >= clock_timestamp()
    LEFT JOIN LATERAL (
      SELECT max(${sent.submittedAt}) AS "submittedAt" FROM ${submission.table}
       WHERE ${sent.batchHeight} = queued.${height}) AS newest ON true
   ORDER BY queued.${height}`;

/** The lowest batches that are not final; whether a prover is at work is by the clock of the database. */
export async function listQueue(from: Statements, limit: number): Promise<QueuedBatch[]> {
  const { rows } = await from.query<Row>({
    name: 'queued-batches',
    text: LIST,
    values: [limit, PROVING_LEASES],
  });
  return rows.map(queuedBatchOf);
}

function queuedBatchOf(row: Row): QueuedBatch {
  return {
    height: row.height,
    state: row.state as QueuedState,
    operations: row.operations,
    size: row.size,
    openedAt: row.openedAt,
    sealedAt: row.sealedAt ?? undefined,
    prover: row.holder === null ? undefined : { name: row.holder, since: row.since },
    transactionHash: row.transactionHash === null ? undefined : hashFromBytes(row.transactionHash),
    submittedAt: row.submittedAt ?? undefined,
    failure: row.failure ?? undefined,
  };
}
