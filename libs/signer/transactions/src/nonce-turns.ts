import type { Address } from '@tetrad/types';

interface Turn {
  tail: Promise<unknown>;
  /** Sends that wait or run. */
  waiting: number;
  /** The nonce after the last one that was submitted; unknown after a failure. */
  next: bigint | undefined;
}

/**
 * Gives the sends of one account consecutive nonces: one at a time, in the order they came.
 *
 * While sends wait, the next nonce follows from the last; when the account has been idle, or a submission failed,
 * the Ethereum client is asked again, so that a nonce that was not used is given to the next send.
 */
export class NonceTurns {
  private readonly turns = new Map<Address, Turn>();

  constructor(private readonly pendingNonce: (account: Address) => Promise<bigint>) {}

  /** Runs the submission with the account's next nonce. Fails as the submission does. */
  async take<T>(account: Address, submit: (nonce: bigint) => Promise<T>): Promise<T> {
    const turn = this.turns.get(account) ?? { tail: Promise.resolve(), waiting: 0, next: undefined };
    this.turns.set(account, turn);
    turn.waiting += 1;
    const mine = turn.tail.then(() => this.run(account, turn, submit));
    turn.tail = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) this.turns.delete(account);
    }
  }

  private async run<T>(account: Address, turn: Turn, submit: (nonce: bigint) => Promise<T>): Promise<T> {
    const nonce = turn.next ?? (await this.pendingNonce(account));
    turn.next = undefined;
    const result = await submit(nonce);
    turn.next = nonce + 1n;
    return result;
  }
}
