/**
 * Entries under text keys in the order in which the keys were first added. A new key beyond the capacity, or beyond the share
 * of its owner, is left out; since the order is that of the chain, every node leaves out the same keys.
 */
export class BoundedEntries<Entry> {
  private readonly entries = new Map<string, Entry>();
  private readonly owned = new Map<string, number>();

  /** In: share — most entries of one owner */
  constructor(
    private readonly capacity: number,
    private readonly share = capacity,
  ) {}

  get(key: string): Entry | undefined {
    return this.entries.get(key);
  }

  /** Whether another entry of the owner would be kept. */
  hasRoomFor(owner: string): boolean {
    return this.entries.size < this.capacity && (this.owned.get(owner) ?? 0) < this.share;
  }

  /** Out: whether it was kept. In: owner — of a new key; an existing one stays with its first owner */
  put(key: string, entry: Entry, owner: string): boolean {
    if (!this.entries.has(key)) {
      if (!this.hasRoomFor(owner)) return false;
      this.owned.set(owner, (this.owned.get(owner) ?? 0) + 1);
    }
    this.entries.set(key, entry);
    return true;
  }

  values(): IterableIterator<Entry> {
    return this.entries.values();
  }
}
