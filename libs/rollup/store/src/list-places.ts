/** Bounds how many pieces of work are under way at a time. Each enters when its turn comes, unless that takes too long. */
export class ListPlaces {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  /**
   * @param count - of the places
   * @param waitMs - longest wait for one
   */
  constructor(
    private readonly count: number,
    private readonly waitMs: number,
  ) {}

  /**
   * @param late - the failure of what has waited too long, which is then not done
   * @throws as the work, or what `late` makes
   */
  async take<Result>(work: () => Promise<Result>, late: () => Error): Promise<Result> {
    if (this.taken < this.count) this.taken += 1;
    else await this.wait(late);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private wait(late: () => Error): Promise<void> {
    return new Promise((done, fail) => {
      const enter = () => {
        clearTimeout(timer);
        done();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(enter);
        fail(late());
      }, this.waitMs);
      this.waiting.add(enter);
    });
  }

  /** The place passes to the one that has waited longest. */
  private leave(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.taken -= 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
