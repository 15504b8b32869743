/** Work on the main thread pauses after this long, so that requests are answered meanwhile. */
const SLICE_MS = 8;

/** Cuts long work into slices, between which the event loop has its turn. */
export class TimeSlices {
  private end = performance.now() + SLICE_MS;

  /** Whether the slice is over and `pause` is due. */
  isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** Lets everything run that is waiting, then starts the next slice. */
  async pause(): Promise<void> {
    await new Promise((turn) => setImmediate(turn));
    this.end = performance.now() + SLICE_MS;
  }
}
