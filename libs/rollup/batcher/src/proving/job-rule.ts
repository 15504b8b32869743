/** State of the job of a batch in the queue. */
export interface JobView {
  readonly state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';
  /** When a prover took it last, in ms since the epoch. */
  readonly startedAt: number | undefined;
}

export type JobStep =
  /** It waits for a prover, or one works on it. */
  | 'leave'
  /** The prover that took it is gone: another one gets it. */
  | 'rescue'
  /** Without a job that a prover would take. */
  | 'enqueue';

/**
 * What to do about the job of a batch that has no proof: a pure function of the queue and of the prover's lease.
 * @param job - undefined without one
 * @param isLeased - whether a prover holds the lease of the batch
 * @param options.now - in ms since the epoch
 * @param options.graceMs - how long a prover may take from taking the job to its first sign of life
 */
export function jobStep(
  job: JobView | undefined,
  isLeased: boolean,
  { now, graceMs }: { readonly now: number; readonly graceMs: number },
): JobStep {
  if (job === undefined) return 'enqueue';
  if (job.state === 'created' || job.state === 'retry') return 'leave';
  if (job.state !== 'active') return 'enqueue';
  return isLeased || now < (job.startedAt ?? 0) + graceMs ? 'leave' : 'rescue';
}
