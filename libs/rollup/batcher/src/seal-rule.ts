/** The batch that takes what is executed now. */
export interface OpenBatch {
  readonly operations: number;
  readonly size: number;
  /** When the first operation got its place in it, in ms since the epoch. */
  readonly openedAt: number;
}

/**
 * Whether the batch is closed: when it is full, or holds something for as long as the interval. An empty one never is:
 * its proof would cost what that of a full one costs.
 */
export function shouldSeal(batch: OpenBatch | undefined, now: number, intervalMs: number): boolean {
  if (batch === undefined || batch.operations === 0) return false;
  return batch.operations >= batch.size || now - batch.openedAt >= intervalMs;
}
