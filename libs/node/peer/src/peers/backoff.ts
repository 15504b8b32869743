/** When to try again: doubling from a base to a cap. */
export interface BackoffRule {
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * Wait before the next attempt, between half and all of the step, so that nodes that were disconnected at the same
 * moment do not all reconnect at the same moment.
 *
 * In: failures — in a row, at least 1; random — in [0, 1)
 */
export function backoffDelayMs(failures: number, random: number, { baseMs, capMs }: BackoffRule): number {
  const step = Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 32));
  return Math.round(step * (0.5 + random / 2));
}
