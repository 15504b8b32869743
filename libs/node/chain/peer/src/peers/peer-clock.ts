/** Readings of which the best one counts, and how long one counts. */
const READINGS = 4;
const FRESH_MS = 300_000;

interface Reading {
  readonly offsetMs: number;
  readonly atMs: number;
}

/**
 * How far a peer's clock is ahead of this node's, by what it says of the time.
 *
 * A message is read later than it was written, which makes the clock look slow: of the last readings the highest is the
 * one that took the least time.
 */
export class PeerClock {
  private readings: readonly Reading[] = [];

  /**
   * @param offsetMs - the time that the peer said, less this node's
   * @param nowMs - of this node
   */
  note(offsetMs: number, nowMs: number): void {
    this.readings = [...this.readings, { offsetMs, atMs: nowMs }].slice(-READINGS);
  }

  /** Undefined without a reading of the last minutes. Units: ms */
  offsetMs(nowMs: number): number | undefined {
    // Readings of a clock that was set since say nothing.
    const fresh = this.readings.filter(({ atMs }) => Math.abs(nowMs - atMs) <= FRESH_MS);
    return fresh.length === 0 ? undefined : Math.max(...fresh.map(({ offsetMs }) => offsetMs));
  }
}
