/**
 * Whom chaos hits next: every kind once, in an order that the seed decides, and then again in another order. So a short run
 * hits every kind too.
 */
export class KillDeck {
  private left: string[] = [];

  constructor(
    private readonly kinds: readonly string[],
    private readonly random: () => number,
  ) {}

  next(): string | undefined {
    if (this.left.length === 0) this.left = shuffled(this.kinds, this.random);
    return this.left.pop();
  }
}

/** Fisher and Yates. */
export function shuffled<T>(members: readonly T[], random: () => number): T[] {
  const order = [...members];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
