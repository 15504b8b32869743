interface Waiting {
  readonly amount: number;
  readonly enter: () => void;
}

/**
 * Bounds what pieces of work hold together, in whatever unit. They enter in the order in which they came, so that small
 * ones do not keep a large one out.
 */
export class Gate {
  private held = 0;
  private readonly waiting: Waiting[] = [];

  /** @param most - that may be held together */
  constructor(private readonly most: number) {}

  /**
   * Does the work once there is room for what it holds.
   * @param amount - one that is larger than all the room takes all of it, and is alone
   * @throws as the work
   */
  async take<Result>(amount: number, work: () => Promise<Result>): Promise<Result> {
    const own = Math.min(amount, this.most);
    await new Promise<void>((enter) => {
      this.waiting.push({ amount: own, enter });
      this.admit();
    });
    try {
      return await work();
    } finally {
      this.held -= own;
      this.admit();
    }
  }

  private admit(): void {
    for (;;) {
      const [first] = this.waiting;
      if (first === undefined || this.held + first.amount > this.most) return;
      this.waiting.shift();
      this.held += first.amount;
      first.enter();
    }
  }
}
