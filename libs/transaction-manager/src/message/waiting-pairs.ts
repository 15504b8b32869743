import type { MessageStore } from '../store/message-store.js';
import { MAX_PAIRS } from './message-bounds.js';
import type { MessagePair } from './party-message.js';

/** Time after which the database is asked all the same: a process before this one may have stored a message in its last moment. */
const ASK_AGAIN_MS = 60_000;

/** For which pairs messages wait: kept in memory, so that an idle manager asks its database once a minute. */
export class WaitingPairs {
  /** By their names: those that were noted last come last. */
  private readonly pairs = new Map<string, MessagePair>();
  /** Whether messages wait for no other pair. */
  private isComplete = false;
  private askAgainMs = 0;

  constructor(private readonly store: Pick<MessageStore, 'waiting'>) {}

  /** Whether nothing waits, as far as is known. */
  get isEmpty(): boolean {
    return !this.isDoubted && this.pairs.size === 0;
  }

  get all(): Iterable<MessagePair> {
    return this.pairs.values();
  }

  has(name: string): boolean {
    return this.pairs.has(name);
  }

  /** Notes that a message of the pair waits, once it is stored. */
  note({ from, to }: MessagePair): void {
    const pair = { from, to };
    if (this.pairs.size < MAX_PAIRS || this.pairs.has(nameOf(pair))) this.pairs.set(nameOf(pair), pair);
    else this.isComplete = false;
  }

  /** Forgets the pair: before the question what waits for it, since a message that is stored afterwards is noted. */
  forget(pair: MessagePair): void {
    this.pairs.delete(nameOf(pair));
  }

  /** Has the database asked the next time. */
  doubt(): void {
    this.isComplete = false;
  }

  /**
   * Asks the database, unless what waits is known.
   * @returns whether it was asked
   */
  async refresh(): Promise<boolean> {
    if (!this.isDoubted) return false;
    // Before the question, as in `forget`.
    this.isComplete = true;
    this.askAgainMs = Date.now() + ASK_AGAIN_MS;
    this.pairs.clear();
    try {
      const waiting = await this.store.waiting();
      for (const pair of waiting) this.note(pair);
      if (waiting.length === MAX_PAIRS) this.isComplete = false;
      return true;
    } catch (error) {
      this.isComplete = false;
      throw error;
    }
  }

  private get isDoubted(): boolean {
    return !this.isComplete || Date.now() > this.askAgainMs;
  }
}

/** Names a pair among others. */
export function nameOf({ from, to }: MessagePair): string {
  return from + to;
}
