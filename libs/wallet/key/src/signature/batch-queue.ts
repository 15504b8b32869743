interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: (result: Result) => void;
  readonly fail: (error: unknown) => void;
}

export interface BatchQueueOptions<Item, Result> {
  /** Batches under way at a time. */
  readonly concurrency: number;
  /** Whether the first to come waits one turn of the event loop for those that arrived together with it. */
  readonly gathers: boolean;
  /** How many the next batch takes of so many that wait; at least one. */
  readonly sizeOf: (waiting: number) => number;
  /** @returns a result for each, in their order */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
}

/** Work that is done in batches, in the order it came. Who bounds it looks at `length`. */
export class BatchQueue<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private running = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];

  constructor(private readonly options: BatchQueueOptions<Item, Result>) {}

  /** How many wait; those under way wait no more. */
  get length(): number {
    return this.waiting.length;
  }

  /** @throws as the run of its batch */
  add(item: Item): Promise<Result> {
    return new Promise((done, fail) => {
      this.waiting.push({ item, done, fail });
      this.schedule();
    });
  }

  /** Resolves when nothing waits and nothing is under way. */
  async settle(): Promise<void> {
    while (this.running > 0 || this.waiting.length > 0) {
      await new Promise<void>((done) => this.idle.push(done));
    }
  }

  private schedule(): void {
    if (this.scheduled || this.waiting.length === 0 || this.running === this.options.concurrency) return;
    if (!this.options.gathers) return void this.next();
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.next();
    });
  }

  private async next(): Promise<void> {
    const batch = this.waiting.splice(0, this.options.sizeOf(this.waiting.length));
    this.running += 1;
    this.schedule();
    try {
      const results = await this.options.run(batch.map(({ item }) => item));
      batch.forEach(({ done }, index) => done(results[index] as Result));
    } catch (error) {
      for (const { fail } of batch) fail(error);
    } finally {
      this.running -= 1;
      this.schedule();
      for (const done of this.idle.splice(0)) done();
    }
  }
}
