import type { Address } from '@tetrad/types';

/** Runs work for one account sequentially, and for different accounts concurrently. */
export class AccountQueues {
  private readonly tails = new Map<Address, Promise<unknown>>();

  /** Runs the work after all earlier work for the account, whether that succeeded or not. */
  async run<T>(account: Address, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(account) ?? Promise.resolve();
    const mine = before.then(work, work);
    const tail = mine.catch(() => undefined);
    this.tails.set(account, tail);
    try {
      return await mine;
    } finally {
      if (this.tails.get(account) === tail) this.tails.delete(account);
    }
  }
}
