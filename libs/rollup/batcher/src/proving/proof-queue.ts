import type { Database } from '@tetrad/db';
import { makingProverQueue, proverQueueStatements, type ProverQueueStatements } from '@tetrad/rollup-store';
import type { Logger } from '@tetrad/types';
import PgBoss from 'pg-boss';
import type { JobView } from './job-rule.js';

/** A batch to be proved, and the queue that it is in. */
export interface ProofJob {
  readonly height: number;
  /** Operations of the batch; undefined in the one queue that earlier versions have for all sizes. */
  readonly size: number | undefined;
}

const QUEUE = 'prove';
const queueOf = (size: number | undefined) => (size === undefined ? QUEUE : `${QUEUE}-${size}`);
/** How often a prover looks into the queue of earlier versions, in ms. */
const EARLIER_MS = 2_000;
const SCHEMA = 'prover_queue';

/** A job is never given up: a failed one is retried until the batch has its proof. */
const RETRY_LIMIT = 1_000_000;
const RETRY_DELAY_SECONDS = 1;
/** Of a job that waits: provers may be unavailable for long. */
const RETENTION_DAYS = 3_650;

/**
 * Jobs of provers in the database of the operator, by a queue library: a job carries the height of its batch, and all that
 * is to be proved is in the row of the batch. The id of a job follows from the height, so a batch has one job. Each size has a
 * queue, so that a prover takes what it can prove.
 */
export class ProofQueue {
  private readonly made = new Map<number, Promise<void>>();
  private lookedAt = -Infinity;

  private constructor(
    private readonly boss: PgBoss,
    private readonly database: Database,
  ) {}

  /** Makes the tables of the queue when they are not there; several processes may do so at once. */
  static async open(database: Database, logger: Logger): Promise<ProofQueue> {
    const boss = bossOn(proverQueueStatements(database.pool));
    boss.on('error', (error) => logger.warn('prover queue failed', { error }));
    await boss.start();
    await createQueue(database, QUEUE);
    return new ProofQueue(boss, database);
  }

  /** Does nothing when the batch has a job already in that queue. */
  async enqueue({ height, size }: ProofJob): Promise<void> {
    if (size !== undefined) await this.make(size);
    await this.boss.send(queueOf(size), { height } satisfies Stored, {
      id: jobId(height),
      retryLimit: RETRY_LIMIT,
      retryDelay: RETRY_DELAY_SECONDS,
      retentionDays: RETENTION_DAYS,
      priority: -height,
    });
  }

  /** Takes the job of the lowest waiting batch of a size, or one that an earlier version enqueued; undefined without one. */
  async take(size: number): Promise<ProofJob | undefined> {
    await this.make(size);
    const [job] = await this.boss.fetch<Stored>(queueOf(size));
    if (job !== undefined) return { height: job.data.height, size };
    if (performance.now() - this.lookedAt < EARLIER_MS) return undefined;
    this.lookedAt = performance.now();
    const [earlier] = await this.boss.fetch<Stored>(QUEUE);
    return earlier === undefined ? undefined : { height: earlier.data.height, size: undefined };
  }

  /** The job is done, or not wanted any more. */
  async remove({ height, size }: ProofJob): Promise<void> {
    await this.boss.deleteJob(queueOf(size), jobId(height));
  }

  /** Returns a job to the queue, for another prover. */
  async giveBack({ height, size }: ProofJob, reason: string): Promise<void> {
    await this.boss.fail(queueOf(size), jobId(height), { reason });
  }

  async find({ height, size }: ProofJob): Promise<JobView | undefined> {
    const job = await this.boss.getJobById<Stored>(queueOf(size), jobId(height));
    if (job === null) return undefined;
    return { state: job.state, startedAt: (job.startedOn as Date | null)?.getTime() };
  }

  /** Makes the queue of a size when it is not there. */
  private make(size: number): Promise<void> {
    const making = this.made.get(size) ?? createQueue(this.database, queueOf(size));
    this.made.set(size, making);
    return making.catch((error: unknown) => {
      this.made.delete(size);
      throw error;
    });
  }

  close(): Promise<void> {
    return this.boss.stop({ graceful: false, close: false, wait: false });
  }
}

/** What a job carries. */
type Stored = Pick<ProofJob, 'height'>;

function bossOn(db: ProverQueueStatements): PgBoss {
  return new PgBoss({
    db,
    schema: SCHEMA,
    // Jobs are removed when they are done, and the batcher looks after those whose prover is gone.
    supervise: false,
    schedule: false,
  });
}

/**
 * Processes take turns. The library does so for its tables and not here: the first one adds a foreign key to the table of
 * queues, into which the next one inserts while it waits for the first, and PostgreSQL ends one of them (40P01).
 */
function createQueue(database: Database, name: string): Promise<void> {
  return makingProverQueue(database, (statements) => bossOn(statements).createQueue(name));
}

/** A UUID of version 8 (RFC 9562, custom) that ends in the height. */
export function jobId(height: number): string {
  return `00000000-0000-8000-8000-${height.toString(16).padStart(12, '0')}`;
}
