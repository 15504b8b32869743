/** How long a batch is rested from: so many times its duration, bounded. Units: ms */
const USUAL = { times: 1, most: 1_000 };
const DURING_IMPORTS = { times: 9, most: 10_000 };

/**
 * How long the index pauses after a batch, as blocks go first. While blocks are imported it has a tenth of the time, and goes on
 * afterwards.
 * @param batchMs - duration of the batch
 */
export function pauseAfter(batchMs: number, isImporting: boolean): number {
  const { times, most } = isImporting ? DURING_IMPORTS : USUAL;
  return Math.min(times * batchMs, most);
}
