import { useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { callService, valueOf } from './call-node.js';
import { LIVE_MS } from './queries.js';
import { bytesSchema, textSchema } from './shapes.js';

/** Batches that are listed; all are counted. */
const SHOWN = 50;

const whole = z.int().nonnegative();

const queuedBatchSchema = z.object({
  batchHeight: whole,
  state: textSchema,
  operations: whole,
  size: whole,
  openedAt: z.number(),
  sealedAt: z.number().nullable(),
  prover: z.object({ name: textSchema, since: z.number() }).nullable(),
  transactionHash: bytesSchema.nullable(),
  submittedAt: z.number().nullable(),
  failure: textSchema.nullable(),
});
export type QueuedBatch = z.output<typeof queuedBatchSchema>;

const queueSchema = z.object({
  pendingOperations: whole,
  counts: z.array(z.object({ state: textSchema, size: whole, count: whole, oldestSeconds: z.number() })),
  batches: z.array(queuedBatchSchema),
  hasMoreResults: z.boolean(),
});
export type BatchQueue = z.output<typeof queueSchema>;

/** The batches of the operator that are not final. */
export function useBatchQueue() {
  return useQuery({
    queryKey: ['rollup', 'queue'],
    queryFn: async ({ signal }) => {
      const call = { method: 'rollup_getBatchQueue', params: [SHOWN] };
      const [queue] = await callService('rollup', [call], signal);
      return queueSchema.parse(valueOf(queue));
    },
    refetchInterval: LIVE_MS,
  });
}
