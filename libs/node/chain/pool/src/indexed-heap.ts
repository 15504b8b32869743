/**
 * A heap of items, whose position in the order may change while they are in the heap.
 *
 * Cost: logarithmic in the number of items
 */
export class IndexedHeap<T> {
  private readonly items: T[] = [];
  private readonly places = new Map<T, number>();

  /** `comesBefore` must be an order; of two equal items either may be first. */
  constructor(private readonly comesBefore: (a: T, b: T) => boolean) {}

  get first(): T | undefined {
    return this.items[0];
  }

  /** Adds the item, or moves it when its order has changed. */
  update(item: T): void {
    const place = this.places.get(item) ?? this.items.push(item) - 1;
    this.sink(this.rise(place, item), item);
  }

  /** @returns false when it was not in the heap */
  delete(item: T): boolean {
    const place = this.places.get(item);
    if (place === undefined) return false;
    this.places.delete(item);
    const last = this.items.pop() as T;
    if (last !== item) this.sink(this.rise(place, last), last);
    return true;
  }

  /** @returns the index to which the item has risen */
  private rise(from: number, item: T): number {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.items[parent] as T;
      if (!this.comesBefore(item, above)) break;
      this.place(above, at);
      at = parent;
    }
    return at;
  }

  private sink(from: number, item: T): void {
    const { length } = this.items;
    let at = from;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= length) break;
      const next = child + 1;
      if (next < length && this.comesBefore(this.items[next] as T, this.items[child] as T)) child = next;
      const below = this.items[child] as T;
      if (!this.comesBefore(below, item)) break;
      this.place(below, at);
      at = child;
    }
    this.place(item, at);
  }

  private place(item: T, at: number): void {
    this.items[at] = item;
    this.places.set(item, at);
  }
}
