/** The batch that takes what is executed now. */
export interface OpenBatch {
  readonly operations: number;
  readonly size: number;
  /** When the first operation got its place in it, in ms since the epoch. */
  readonly openedAt: number;
}

export interface SealBounds {
  /** For how long a batch stays open that does not get full, in ms. */
  readonly intervalMs: number;
  /** Batches that are closed already and that no prover has taken. */
  readonly waiting: number;
}

/**
 * Whether the batch is closed: when it is full, or holds something for as long as the interval. An empty one never is:
 * its proof would cost what that of a full one costs. For the same reason one that is not full stays open while provers are
 * behind: it would only wait with those before it.
 */
export function shouldSeal(
  batch: OpenBatch | undefined,
  now: number,
  { intervalMs, waiting }: SealBounds,
): boolean {
  if (batch === undefined || batch.operations === 0) return false;
  if (batch.operations >= batch.size) return true;
  return waiting === 0 && now - batch.openedAt >= intervalMs;
}
