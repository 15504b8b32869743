/** Sizes of batches, one of which each batch gets: there is a circuit and a verifier for each. */
export class BatchSizes {
  private readonly sizes: readonly number[];

  /** @throws RangeError without one */
  constructor(sizes: readonly number[]) {
    this.sizes = [...new Set(sizes)].sort((one, other) => one - other);
    if (this.sizes.length === 0) throw new RangeError('there is no size for a batch');
  }

  /** Those of them that are usable, which are all when none is. */
  among(usable: readonly number[]): BatchSizes {
    const some = this.sizes.filter((size) => usable.includes(size));
    return some.length === 0 ? this : new BatchSizes(some);
  }

  get largest(): number {
    return this.sizes.at(-1) as number;
  }

  /** The smallest that has room for so many, which is the largest when none has. */
  fitting(operations: number): number {
    return this.sizes.find((size) => size >= operations) ?? this.largest;
  }

  /**
   * Whether a batch is closed without waiting: it is of the largest size, or without an empty place, and what may follow
   * does not fill the next size.
   * @param following - operations that are there and could be put into the batch
   */
  isFull(operations: number, following: number): boolean {
    if (operations >= this.largest) return true;
    return this.sizes.includes(operations) && operations + following < this.fitting(operations + 1);
  }
}
