import type { Database } from '@tetrad/db';
import { makingProverQueue, proverQueueStatements, type ProverQueueStatements } from '@tetrad/rollup-store';
import type { Logger } from '@tetrad/types';
import PgBoss from 'pg-boss';
import type { JobView } from './job-rule.js';

/** A batch to be proved. */
export interface ProofJob {
  readonly height: number;
}

const QUEUE = 'prove';
const SCHEMA = 'prover_queue';

/** A job is never given up: a failed one is retried until the batch has its proof. */
const RETRY_LIMIT = 1_000_000;
const RETRY_DELAY_SECONDS = 1;
/** Of a job that waits: provers may be unavailable for long. */
const RETENTION_DAYS = 3_650;

/**
 * Jobs of provers in the database of the operator, by a queue library: a job carries the height of its batch, and all that
 * is to be proved is in the row of the batch. The id of a job follows from the height, so a batch has one job.
 */
export class ProofQueue {
  private constructor(private readonly boss: PgBoss) {}

  /** Makes the tables of the queue when they are not there; several processes may do so at once. */
  static async open(database: Database, logger: Logger): Promise<ProofQueue> {
    const boss = bossOn(proverQueueStatements(database.pool));
    boss.on('error', (error) => logger.warn('prover queue failed', { error }));
    await boss.start();
    await createQueue(database);
    return new ProofQueue(boss);
  }

  /** Does nothing when the batch has a job already. */
  async enqueue(height: number): Promise<void> {
    await this.boss.send(QUEUE, { height } satisfies ProofJob, {
      ...{ id: jobId(height), retryLimit: RETRY_LIMIT, retryDelay: RETRY_DELAY_SECONDS },
      ...{ retentionDays: RETENTION_DAYS, priority: -height },
    });
  }

  /** Takes the job of the lowest waiting batch; undefined without one. */
  async take(): Promise<ProofJob | undefined> {
    const [job] = await this.boss.fetch<ProofJob>(QUEUE);
    return job?.data;
  }

  /** The job is done, or not wanted any more. */
  async remove(height: number): Promise<void> {
    await this.boss.deleteJob(QUEUE, jobId(height));
  }

  /** Returns a job to the queue, for another prover. */
  async giveBack(height: number, reason: string): Promise<void> {
    await this.boss.fail(QUEUE, jobId(height), { reason });
  }

  async find(height: number): Promise<JobView | undefined> {
    const job = await this.boss.getJobById<ProofJob>(QUEUE, jobId(height));
    if (job === null) return undefined;
    return { state: job.state, startedAt: (job.startedOn as Date | null)?.getTime() };
  }

  close(): Promise<void> {
    return this.boss.stop({ graceful: false, close: false, wait: false });
  }
}

function bossOn(db: ProverQueueStatements): PgBoss {
  return new PgBoss({
    db,
    schema: SCHEMA,
    // Jobs are removed when they are done, and the batcher looks after those whose prover is gone.
    ...{ supervise: false, schedule: false },
  });
}

/**
 * Processes take turns. The library does so for its tables and not here: the first one adds a foreign key to the table of
 * queues, into which the next one inserts while it waits for the first, and PostgreSQL ends one of them (40P01).
 */
function createQueue(database: Database): Promise<void> {
  return makingProverQueue(database, (statements) => bossOn(statements).createQueue(QUEUE));
}

/** A UUID of version 8 (RFC 9562, custom) that ends in the height. */
export function jobId(height: number): string {
  return `00000000-0000-8000-8000-${height.toString(16).padStart(12, '0')}`;
}
