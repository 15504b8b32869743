import { defineMethod, hashCodec, optionalParam } from '@tetrad/rpc';
import { z } from 'zod';

const stateSchema = z.enum(['open', 'sealed', 'proving', 'proven', 'submitted']);
const timeSchema = z.int().describe('ms since the epoch');
const whole = z.int().nonnegative();

const queuedBatchCodec = z.object({
  batchHeight: whole,
  state: stateSchema,
  operations: whole.describe('operations and deposits in it'),
  size: whole.describe('what it has room for'),
  openedAt: timeSchema,
  sealedAt: timeSchema.nullable(),
  prover: z
    .object({ name: z.string(), since: timeSchema })
    .nullable()
    .describe('the process that proves it at the moment: host name and id'),
  transactionHash: hashCodec.nullable(),
  submittedAt: timeSchema.nullable().describe('of its newest transaction'),
  failure: z.string().nullable().describe('why it last failed, for people'),
});

const countCodec = z.object({
  state: stateSchema,
  size: whole,
  count: whole,
  oldestSeconds: z.number().nonnegative().describe('since the oldest of them was opened'),
});

/** What an operator watches of its own work: nothing of an account. */
export const rollupQueueMethods = {
  rollup_getBatchQueue: defineMethod({
    summary:
      'Batches that are not final: how many of each state and size, the age of the oldest, and the lowest of them with their provers. For tokens that are not bound to accounts.',
    params: [optionalParam('limit', z.int().min(1).max(100), 'batches that are listed; 20 without')],
    result: z.object({
      pendingOperations: whole.describe('accepted and in no batch'),
      counts: z.array(countCodec),
      batches: z.array(queuedBatchCodec),
      hasMoreResults: z.boolean(),
    }),
    errors: ['DATABASE_UNAVAILABLE', 'FORBIDDEN'],
    source: 'beyond the interface document',
    examples: [
      {
        summary: 'one that is being proved, and one that waits',
        params: [1],
        result: {
          pendingOperations: 3,
          counts: [
            { state: 'proving', size: 8, count: 1, oldestSeconds: 41.5 },
            { state: 'sealed', size: 8, count: 1, oldestSeconds: 12.25 },
          ],
          batches: [
            {
              batchHeight: 12,
              state: 'proving',
              operations: 8,
              size: 8,
              openedAt: 1_764_115_200_000,
              sealedAt: 1_764_115_210_000,
              transactionHash: null,
              submittedAt: null,
              failure: null,
              prover: { name: 'prover-0/9f3c', since: 1_764_115_211_000 },
            },
          ],
          hasMoreResults: true,
        },
      },
    ],
  }),
};
