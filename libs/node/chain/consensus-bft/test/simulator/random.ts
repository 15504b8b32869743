import { seededRandom } from '@tetrad/testkit';

/** A seeded generator of random numbers: the same seed gives the same run. */
export class Random {
  /** From 0 to below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
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
