/** What the queue says of the job of a batch. */
export interface JobView {
  readonly state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';
  /** When a prover took it last, in ms since the epoch. */
  readonly startedAt: number | undefined;
}

export type JobStep =
  /** It waits for a prover, or one is at it. */
  | 'leave'
  /** Whoever took it is gone: it goes to another. */
  | 'rescue'
  /** There is none that would ever be worked on. */
  | 'enqueue';

/**
 * What to do about the job of a batch that has no proof: a pure function of the queue and of the prover's lease.
 *
 * In: job — undefined for none; isLeased — whether a prover says that it is at it; now — in ms since the epoch;
 *     graceMs — how long a prover may take from taking the job to its first sign of life
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
