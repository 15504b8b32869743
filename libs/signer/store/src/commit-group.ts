import { DatabaseUnavailableError } from '@tetrad/db';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: (result: Result) => void;
  readonly fail: (error: unknown) => void;
}

/** Bounds of one write and of the queue before it, in items. */
const MAX_GROUP = 1_000;
const MAX_WAITING = 50_000;

/**
 * Writes items in groups, one group at a time and in the order they came: while one commit is under way the next
 * items gather, so that the price of a durable commit is shared by everybody who waits for it.
 */
export class CommitGroup<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private writing = false;

  /** In: write — stores a group and gives a result for each item, in their order */
  constructor(private readonly write: (items: readonly Item[]) => Promise<readonly Result[]>) {}

  /** Resolves when the item is stored. Fails: as the write of its group; DatabaseUnavailableError when too many wait */
  add(item: Item): Promise<Result> {
    if (this.waiting.length >= MAX_WAITING) {
      return Promise.reject(new DatabaseUnavailableError('too many writes wait for the database'));
    }
    return new Promise((done, fail) => {
      this.waiting.push({ item, done, fail });
      if (!this.writing) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.writing = true;
    // One turn of the event loop lets requests that arrived together share the first commit too.
    await new Promise((turn) => setImmediate(turn));
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, MAX_GROUP);
      try {
        const results = await this.write(group.map(({ item }) => item));
        group.forEach(({ done }, index) => done(results[index] as Result));
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    this.writing = false;
  }
}
