/**
 * The order in which chaos kills processes: every kind once, in an order that the seed decides, then again in another order.
 * So a short run kills every kind too.
 */
export class KillOrder {
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

/** Fisher–Yates shuffle. */
export function shuffled<T>(members: readonly T[], random: () => number): T[] {
  const order = [...members];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
