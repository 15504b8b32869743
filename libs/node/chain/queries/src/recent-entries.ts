/** The last entries of a growing list, which many readers follow, each from its own position. */
export class RecentEntries<T> {
  private readonly entries: T[] = [];
  /** Position of the first entry that is kept. */
  private first = 0;

  /** @param most - minimum of kept entries; a reader that is further behind misses the oldest */
  constructor(private readonly most: number) {}

  /** Position of the next entry. */
  get end(): number {
    return this.first + this.entries.length;
  }

  add(entry: T): void {
    this.entries.push(entry);
    if (this.entries.length < 2 * this.most) return;
    this.first += this.most;
    this.entries.splice(0, this.most);
  }

  /** The last entries from the position on. */
  since(position: number): T[] {
    const from = Math.max(position - this.first, this.entries.length - this.most, 0);
    return this.entries.slice(from);
  }
}
