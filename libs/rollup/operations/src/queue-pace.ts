import type { RollupStore } from '@tetrad/rollup-store';
import type { Clock } from '@tetrad/types';

/** Batches by which it is checked how fast operations are executed. */
const BATCHES = 64;
/** For how long an answer is given again: a full queue refuses many. */
const KEPT_MS = 1_000;
const [SHORTEST_MS, USUAL_MS, LONGEST_MS] = [1_000, 60_000, 3_600_000];

/** A batch that was closed. */
interface SealedBatch {
  readonly operations: number;
  readonly sealedAt: Date;
}

/**
 * How long it takes to execute a quarter of what may wait, at the pace of the last batches: batches are closed as fast as they are proved
 * while operations wait.
 *
 * @param batches - the last ones, in any order
 * @param maxPending - operations that may wait
 * @param nowMs - in ms since the epoch
 * @returns from a second to an hour
 */
export function timeOfQuarter(batches: readonly SealedBatch[], maxPending: number, nowMs: number): number {
  const executed = batches.reduce((sum, { operations }) => sum + operations, 0);
  if (executed === 0) return USUAL_MS;
  const sinceMs = nowMs - Math.min(...batches.map(({ sealedAt }) => sealedAt.getTime()));
  const ms = Math.ceil((maxPending / 4 / executed) * sinceMs);
  return Math.min(Math.max(ms, SHORTEST_MS), LONGEST_MS);
}

/** When to try again while the queue is full. */
export class QueuePace {
  private kept: { readonly atMs: number; readonly time: Promise<number> } | undefined;

  constructor(
    private readonly store: Pick<RollupStore, 'listLastSealed'>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** @throws as the database */
  retryAfterMs(maxPending: number): Promise<number> {
    const nowMs = this.clock.now();
    const { kept } = this;
    if (kept !== undefined && nowMs >= kept.atMs && nowMs - kept.atMs < KEPT_MS) return kept.time;
    const time = this.store
      .listLastSealed(BATCHES)
      .then((batches) => timeOfQuarter(batches, maxPending, nowMs));
    this.kept = { atMs: nowMs, time };
    time.catch(() => (this.kept = undefined));
    return time;
  }
}
