import { DatabaseUnavailableError } from './database-unavailable.js';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly bytes: number;
  readonly done: (result: Result) => void;
  readonly fail: (error: unknown) => void;
}

/** Bounds of one write and of the queue before it. */
export interface CommitGroupBounds<Item> {
  /** Items of one write; further ones wait for the next. */
  readonly group?: number;
  /** Items that may wait. */
  readonly waiting?: number;
  /** Bytes of an item, and of one write, which takes one item whatever its bytes; and those that may wait. */
  readonly bytes?: {
    readonly of: (item: Item) => number;
    readonly group: number;
    readonly waiting?: number;
  };
}

const MAX_GROUP = 1_000;
const MAX_WAITING = 50_000;

/**
 * Writes items in groups, one group at a time and in the order they came: while one commit is in progress the next
 * items gather, so that they share the cost of a durable commit.
 */
export class CommitGroup<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private waitingBytes = 0;
  private writing = false;

  /** @param write - stores a group and gives a result for each item, in their order */
  constructor(
    private readonly write: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly bounds: CommitGroupBounds<Item> = {},
  ) {}

  /**
   * Resolves when the item is stored.
   * @throws as the write of its group; DatabaseUnavailableError when too many wait
   */
  add(item: Item): Promise<Result> {
    const bytes = this.bounds.bytes?.of(item) ?? 0;
    if (!this.hasRoom(bytes)) {
      return Promise.reject(new DatabaseUnavailableError('too many pending database writes'));
    }
    return new Promise((done, fail) => {
      this.waiting.push({ item, bytes, done, fail });
      this.waitingBytes += bytes;
      if (!this.writing) void this.drain();
    });
  }

  /** One item may wait whatever its bytes. */
  private hasRoom(bytes: number): boolean {
    const { waiting = MAX_WAITING, bytes: bound } = this.bounds;
    if (this.waiting.length >= waiting) return false;
    return this.waiting.length === 0 || this.waitingBytes + bytes <= (bound?.waiting ?? Infinity);
  }

  private async drain(): Promise<void> {
    this.writing = true;
    // One turn of the event loop lets requests that arrived together share the first commit too.
    await new Promise((turn) => setImmediate(turn));
    while (this.waiting.length > 0) {
      const group = this.takeGroup();
      try {
        const results = await this.write(group.map(({ item }) => item));
        group.forEach(({ done }, index) => done(results[index] as Result));
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    this.writing = false;
  }

  private takeGroup(): Waiting<Item, Result>[] {
    const { group = MAX_GROUP, bytes: bound } = this.bounds;
    let [end, size] = [0, 0];
    for (const { bytes } of this.waiting) {
      if (end === group || (end > 0 && size + bytes > (bound?.group ?? Infinity))) break;
      size += bytes;
      end += 1;
    }
    this.waitingBytes -= size;
    return this.waiting.splice(0, end);
  }
}
