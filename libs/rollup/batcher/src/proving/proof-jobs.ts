import type { Database } from '@tetrad/db';
import { isLeased, type StoredBatch, type RollupStore } from '@tetrad/rollup-store';
import type { Clock, Logger } from '@tetrad/types';
import { provingLease } from './heartbeat.js';
import { jobStep, type JobStep, type JobView } from './job-rule.js';
import { JOBS, PROVER_LEASE_MS } from '../params.js';
import type { LivingProvers } from './living-provers.js';
import type { ProofQueue } from './proof-queue.js';

export interface ProofJobsParts {
  readonly database: Database;
  readonly store: RollupStore;
  readonly queue: ProofQueue;
  /** Without it, provers of this version are taken for granted. */
  readonly provers?: Pick<LivingProvers, 'isAnyAlive'> | undefined;
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

  private async look({ height, size }: StoredBatch): Promise<void> {
    const { queue, logger } = this.parts;
    const job = await queue.find({ height, size });
    if (job === undefined) return this.enqueueFirst({ height, size });
    const step = await this.stepOf(job, height);
    if (step === 'leave') return;
    if (step === 'rescue') {
      logger.warn('prover lost, its batch is reassigned', { height });
      await queue.giveBack({ height, size }, 'the prover is gone');
      return;
    }
    await queue.remove({ height, size });
    await queue.enqueue({ height, size });
  }

  /** A job in the queue of earlier versions goes to that of its size, unless such a prover is at work on it, or there are no others. */
  private async enqueueFirst({ height, size }: Pick<StoredBatch, 'height' | 'size'>): Promise<void> {
    const { queue, provers } = this.parts;
    const earlier = { height, size: undefined };
    const job = await queue.find(earlier);
    const step = job === undefined ? 'enqueue' : await this.stepOf(job, height);
    const isForEarlier = provers !== undefined && !(await provers.isAnyAlive());
    if (step === 'leave' && (isForEarlier || job?.state === 'active')) return;
    if (job !== undefined) await queue.remove(earlier);
    await queue.enqueue(isForEarlier ? earlier : { height, size });
  }

  private async stepOf(job: JobView, height: number): Promise<JobStep> {
    const { database, clock } = this.parts;
    const leased = job.state === 'active' && (await isLeased(database.pool, provingLease(height)));
    return jobStep(job, leased, { now: clock.now(), graceMs: PROVER_LEASE_MS });
  }
}
