interface Kept<Entry> {
  readonly entry: Entry;
  readonly owner: string;
}

/**
 * Entries under text keys in the order in which the keys were first added. A new key beyond the capacity, or beyond the share
 * of its owner, is left out; since the order is that of the chain, every node leaves out the same keys.
 */
export class BoundedEntries<Entry> {
  private readonly kept = new Map<string, Kept<Entry>>();
  private readonly owned = new Map<string, number>();

  /** @param share - maximum number of entries of one owner */
  constructor(
    private readonly capacity: number,
    private readonly share = capacity,
  ) {}

  get(key: string): Entry | undefined {
    return this.kept.get(key)?.entry;
  }

  /** Whether another entry of the owner would be kept. */
  hasRoomFor(owner: string): boolean {
    return this.kept.size < this.capacity && !this.isShareUsed(owner);
  }

  /** Whether the owner has as many entries as one owner may have. */
  isShareUsed(owner: string): boolean {
    return (this.owned.get(owner) ?? 0) >= this.share;
  }

  /**
   * @param owner - of a new key; an existing one stays with its first owner
   * @returns whether it was kept
   */
  put(key: string, entry: Entry, owner: string): boolean {
    const before = this.kept.get(key);
    if (before === undefined) {
      if (!this.hasRoomFor(owner)) return false;
      this.owned.set(owner, (this.owned.get(owner) ?? 0) + 1);
    }
    this.kept.set(key, { entry, owner: before?.owner ?? owner });
    return true;
  }

  /** Removes an entry, if it is there. */
  remove(key: string): void {
    const before = this.kept.get(key);
    if (before === undefined) return;
    this.kept.delete(key);
    this.owned.set(before.owner, (this.owned.get(before.owner) ?? 0) - 1);
  }

  values(): Entry[] {
    return Array.from(this.kept.values(), ({ entry }) => entry);
  }
}
