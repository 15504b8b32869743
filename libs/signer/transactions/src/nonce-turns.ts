import { RefusalError, type Address } from '@tetrad/types';

/** One send, as the queue of its account sees it. */
export interface NonceTurn<T> {
  /** Nonce of the account's next transaction, as the Ethereum client knows it. */
  pendingNonce(): Promise<bigint>;
  /** Signs and submits with the nonce. */
  submit(nonce: bigint): Promise<T>;
  /** Aborted when nobody waits for the answer any more: what was not submitted by then never is. */
  readonly signal?: AbortSignal | undefined;
}

interface Queue {
  tail: Promise<unknown>;
  /** Sends that wait or run. */
  waiting: number;
  /** The nonce after the last one that was submitted; unknown after a failure. */
  next: bigint | undefined;
  /** Whether a nonce was used elsewhere while the present send ran. */
  overtaken: boolean;
}

/**
 * Gives the sends of one account consecutive nonces: one at a time, in the order they came.
 *
 * While sends wait, the next nonce follows from the last; when the account has been idle, or a submission failed,
 * the Ethereum client is asked again, so that a nonce that was not used is given to the next send.
 */
export class NonceTurns {
  private readonly queues = new Map<Address, Queue>();

  /** Submits with the account's next nonce. Fails: as the turn; RefusalError REQUEST_TIMEOUT when it was given up. */
  async take<T>(account: Address, turn: NonceTurn<T>): Promise<T> {
    const queue = this.queues.get(account) ?? newQueue();
    this.queues.set(account, queue);
    queue.waiting += 1;
    const mine = queue.tail.then(() => run(queue, turn));
    queue.tail = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) this.queues.delete(account);
    }
  }

  /** Has the client asked again before the next send: a nonce was used that did not come from here. */
  forget(account: Address): void {
    const queue = this.queues.get(account);
    if (queue === undefined) return;
    queue.next = undefined;
    queue.overtaken = true;
  }
}

function newQueue(): Queue {
  return { tail: Promise.resolve(), waiting: 0, next: undefined, overtaken: false };
}

async function run<T>(queue: Queue, turn: NonceTurn<T>): Promise<T> {
  assertWanted(turn.signal);
  queue.overtaken = false;
  const nonce = queue.next ?? (await turn.pendingNonce());
  // A caller who was told that time is up may send again; both would be mined if the first still went out.
  assertWanted(turn.signal);
  queue.next = undefined;
  const result = await turn.submit(nonce);
  if (!queue.overtaken) queue.next = nonce + 1n;
  return result;
}

function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new RefusalError('REQUEST_TIMEOUT', 'the request was given up before it was submitted');
  }
}
