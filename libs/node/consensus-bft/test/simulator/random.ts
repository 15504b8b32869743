/** A seeded generator of random numbers: the same seed gives the same run (mulberry32, public domain). */
export class Random {
  constructor(private seed: number) {}

  /** From 0 to below 1. */
  next(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From `from` to `to`, both inclusive. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.integer(0, choices.length - 1)];
    if (choice === undefined) throw new Error('nothing to pick from');
    return choice;
  }

  /** Some of them, each with the probability. */
  some<T>(choices: readonly T[], probability: number): T[] {
    return choices.filter(() => this.chance(probability));
  }

  shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    const result: T[] = [];
    while (left.length > 0) result.push(...left.splice(this.integer(0, left.length - 1), 1));
    return result;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.integer(0, 255));
  }

  /** A generator of its own, so that one consumer's draws do not move another's. */
  fork(): Random {
    return new Random(this.integer(0, 2 ** 31));
  }
}
