import type { Database } from '@tetrad/db';
import { hashFromBytes, type Hash } from '@tetrad/types';
import type { BatchState } from './batch-rows.js';
import { PROVING_LEASES } from './lease-rows.js';

export type QueuedState = Exclude<BatchState, 'final'>;

/** A batch on its way to the chain. */
export interface QueuedBatch {
  readonly height: number;
  readonly state: QueuedState;
  readonly operations: number;
  readonly size: number;
  readonly openedAt: Date;
  readonly sealedAt: Date | undefined;
  /** The process that proves it at the moment, and since when. */
  readonly prover: { readonly name: string; readonly since: Date } | undefined;
  readonly transactionHash: Hash | undefined;
  /** When the newest of its transactions was sent. */
  readonly submittedAt: Date | undefined;
  /** Why it last failed, for people. */
  readonly failure: string | undefined;
}

/** All batches that are not final. */
export interface BatchQueue {
  /** How many there are of a state and size, and how long ago the oldest of them was opened. */
  readonly counts: readonly {
    readonly state: QueuedState;
    readonly size: number;
    readonly count: number;
    readonly oldestSeconds: number;
  }[];
  /** The lowest ones. */
  readonly batches: readonly QueuedBatch[];
}

type Statements = Pick<Database['pool'], 'query'>;

interface RawBatch {
  readonly height: number;
  readonly state: QueuedState;
  readonly operations: number;
  readonly size: number;
  readonly opened_at: Date;
  readonly sealed_at: Date | null;
  readonly holder: string | null;
  readonly since: Date;
  readonly transaction_hash: Buffer | null;
  readonly submitted_at: Date | null;
  readonly failure: string | null;
}

/** The condition of the index on states, which keeps final batches out. */
const QUEUED = `state = ANY(ARRAY['open', 'sealed', 'proving', 'proven', 'submitted'])`;

export async function readQueue(from: Statements, limit: number): Promise<BatchQueue> {
  const { rows: counts } = await from.query<BatchQueue['counts'][number]>({
    name: 'count-queued-batches',
    text: `SELECT state, size, count(*)::int AS count,
                  greatest(extract(epoch FROM now() - min(opened_at)), 0)::float8 AS "oldestSeconds"
             FROM batch WHERE ${QUEUED} GROUP BY state, size ORDER BY size, state`,
  });
  const { rows } = await from.query<RawBatch>({
    name: 'queued-batches',
    text: `SELECT batch.height, batch.state, batch.operations, batch.size, batch.opened_at, batch.sealed_at,
                  lease.holder, lease.since, batch.transaction_hash, newest.submitted_at, batch.failure
             FROM (SELECT * FROM batch WHERE ${QUEUED} ORDER BY height LIMIT $1) batch
             LEFT JOIN lease ON lease.name = $2 || batch.height AND lease.expires_at >= clock_timestamp()
             LEFT JOIN LATERAL (
               SELECT max(submitted_at) AS submitted_at FROM submission WHERE batch_height = batch.height) newest ON true
            ORDER BY batch.height`,
    values: [limit, PROVING_LEASES],
  });
  return { counts, batches: rows.map(queuedBatchOf) };
}

function queuedBatchOf(row: RawBatch): QueuedBatch {
  const { height, state, operations, size, holder, since, transaction_hash: hash } = row;
  return {
    ...{ height, state, operations, size, openedAt: row.opened_at, sealedAt: row.sealed_at ?? undefined },
    prover: holder === null ? undefined : { name: holder, since },
    transactionHash: hash === null ? undefined : hashFromBytes(hash),
    submittedAt: row.submitted_at ?? undefined,
    failure: row.failure ?? undefined,
  };
}
