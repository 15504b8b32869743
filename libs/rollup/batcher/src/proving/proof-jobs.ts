import type { Database } from '@tetrad/db';
import { isLeased, type StoredBatch, type RollupStore } from '@tetrad/rollup-store';
import type { Clock, Logger } from '@tetrad/types';
import { provingLease } from './heartbeat.js';
import { jobStep } from './job-rule.js';
import { JOBS, PROVER_LEASE_MS } from '../params.js';
import type { ProofQueue } from './proof-queue.js';

export interface ProofJobsParts {
  readonly database: Database;
  readonly store: RollupStore;
  readonly queue: ProofQueue;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Makes the queue follow the rows of the batches: each that is assembled and has no proof gets a job, and a job whose
 * prover is gone goes to another. The rows are what holds; the queue may be lost.
 */
export class ProofJobs {
  constructor(private readonly parts: ProofJobsParts) {}

  async step(): Promise<void> {
    const { store } = this.parts;
    const waiting = [
      ...(await store.listBatches('proving', JOBS)),
      ...(await store.listBatches('sealed', JOBS)),
    ];
    for (const batch of waiting) if (batch.roots !== undefined) await this.look(batch);
  }

  private async look({ height }: StoredBatch): Promise<void> {
    const { queue, database, clock, logger } = this.parts;
    const job = await queue.find(height);
    const leased = job?.state === 'active' && (await isLeased(database.pool, provingLease(height)));
    const step = jobStep(job, leased, { now: clock.now(), graceMs: PROVER_LEASE_MS });
    if (step === 'leave') return;
    if (step === 'rescue') {
      logger.warn('prover lost, its batch is reassigned', { height });
      await queue.giveBack(height, 'the prover is gone');
      return;
    }
    if (job !== undefined) await queue.remove(height);
    await queue.enqueue(height);
  }
}
