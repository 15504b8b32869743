interface Waiting {
  readonly amount: number;
  readonly enter: () => void;
}

/** How long a piece of work waits for room. */
export interface Patience {
  readonly waitMs: number;
  /** The failure of work that has waited longer, which is then not done. */
  readonly late: () => Error;
}

/**
 * Bounds what pieces of work hold together, in whatever unit. They enter in the order in which they came, so that small
 * ones do not keep a large one out.
 */
export class Gate {
  private held = 0;
  private readonly waiting = new Set<Waiting>();

  /** @param most - that may be held together */
  constructor(private readonly most: number) {}

  /**
   * Does the work once there is room for what it holds.
   * @param amount - one that is larger than all the room takes all of it, and is alone
   * @param patience - it waits without end by default
   * @throws as the work, or what `late` makes
   */
  async take<Result>(amount: number, work: () => Promise<Result>, patience?: Patience): Promise<Result> {
    const own = Math.min(amount, this.most);
    await this.enter(own, patience);
    try {
      return await work();
    } finally {
      this.held -= own;
      this.admit();
    }
  }

  private enter(amount: number, patience: Patience | undefined): Promise<void> {
    return new Promise((done, fail) => {
      const waiting = {
        amount,
        enter: () => {
          clearTimeout(timer);
          done();
        },
      };
      const giveUp = (late: () => Error) => {
        this.waiting.delete(waiting);
        fail(late());
        this.admit();
      };
      const timer = patience && setTimeout(giveUp, patience.waitMs, patience.late);
      this.waiting.add(waiting);
      this.admit();
    });
  }

  private admit(): void {
    for (const first of this.waiting) {
      if (this.held + first.amount > this.most) return;
      this.waiting.delete(first);
      this.held += first.amount;
      first.enter();
    }
  }
}
