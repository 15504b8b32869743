import type { rollupQueueMethods } from '@tetrad/api-rollup-operator';
import type { QueuedBatch, RollupStore } from '@tetrad/rollup-store';
import type { Handlers, ResultOf } from '@tetrad/rpc';
import type { AccessReader } from './bind-to-accounts.js';

/** What the handler is built from. */
export interface QueueParts {
  readonly store: Pick<RollupStore, 'readBacklog' | 'readQueue'>;
  readonly accessOf: AccessReader;
}

/** Batches of an answer that does not say how many. */
const SHOWN = 20;

type View = ResultOf<(typeof rollupQueueMethods)['rollup_getBatchQueue']>['batches'][number];

export function queueHandlers({ store, accessOf }: QueueParts): Handlers<typeof rollupQueueMethods> {
  return {
    async rollup_getBatchQueue([limit = SHOWN], context) {
      accessOf(context).assertOperators();
      const { pendingOperations } = await store.readBacklog();
      const { counts, batches } = await store.readQueue(limit + 1);
      return {
        pendingOperations,
        counts: [...counts],
        batches: batches.slice(0, limit).map(viewOf),
        hasMoreResults: batches.length > limit,
      };
    },
  };
}

function viewOf({ height, state, operations, size, ...batch }: QueuedBatch): View {
  return {
    batchHeight: height,
    state,
    operations,
    size,
    openedAt: batch.openedAt.getTime(),
    sealedAt: batch.sealedAt?.getTime() ?? null,
    prover: batch.prover ? { name: batch.prover.name, since: batch.prover.since.getTime() } : null,
    transactionHash: batch.transactionHash ?? null,
    failure: batch.failure ?? null,
    submittedAt: batch.submittedAt?.getTime() ?? null,
  };
}
