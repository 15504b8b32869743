/**
 * Entries under text keys in the order in which the keys were first added. A new key beyond the capacity is left out; since
 * the order is that of the chain, every node leaves out the same keys.
 */
export class BoundedEntries<Entry> {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly capacity: number) {}

  get(key: string): Entry | undefined {
    return this.entries.get(key);
  }

  /** Out: whether it was kept. */
  put(key: string, entry: Entry): boolean {
    if (!this.entries.has(key) && this.entries.size >= this.capacity) return false;
    this.entries.set(key, entry);
    return true;
  }

  values(): IterableIterator<Entry> {
    return this.entries.values();
  }
}
