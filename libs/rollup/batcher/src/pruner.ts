import type { RollupStore } from '@tetrad/rollup-store';

/** Batches of one step: the rows that it deletes are at most those which so many batches wrote. */
const STEP_BATCHES = 16;

/**
 * Forgets accounts and tree nodes as they were before the last so many final batches. It keeps nothing: a process that
 * starts begins at the first batch, where there is nothing left to do.
 */
export class Pruner {
  private next = 1;

  /** @param keepBatches - how many final batches proofs can be given at */
  constructor(
    private readonly store: Pick<RollupStore, 'finalHeight' | 'pruneReplaced'>,
    private readonly keepBatches: number,
  ) {}

  /** @returns whether there is more to do at once */
  async step(): Promise<boolean> {
    const last = (await this.store.finalHeight()) - this.keepBatches + 1;
    const to = Math.min(last, this.next + STEP_BATCHES - 1);
    if (to < this.next) return false;
    await this.store.pruneReplaced({ from: this.next, to });
    this.next = to + 1;
    return to < last;
  }
}
