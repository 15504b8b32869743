import type { StoredBatch, RollupStore, StoredMoneyOrder } from '@tetrad/rollup-store';

type Store = Pick<RollupStore, 'finalHeight' | 'findBatch' | 'listBatchReceived'>;

interface Listener<News> {
  /** What is final up to this height is not new. */
  readonly after: number;
  readonly hear: (news: News) => void;
}

/**
 * Watches in the rows which batches become final, for those who listen; without a listener nothing is read. Any process may:
 * the rows are changed by another one as a rule.
 */
export class FinalNews {
  /** The last batch that listeners heard of; undefined without listeners. */
  private height: number | undefined;
  private readonly batches = new Set<Listener<StoredBatch>>();
  private readonly received = new Map<number, Set<Listener<StoredMoneyOrder>>>();

  constructor(private readonly store: Store) {}

  /** @returns ends it */
  async onBatch(hear: (batch: StoredBatch) => void): Promise<() => void> {
    const listener = { after: await this.store.finalHeight(), hear };
    this.height ??= listener.after;
    this.batches.add(listener);
    return () => {
      this.batches.delete(listener);
      this.end();
    };
  }

  /**
   * Orders for an account.
   * @returns ends it
   */
  async onReceived(accountId: number, hear: (order: StoredMoneyOrder) => void): Promise<() => void> {
    const listener = { after: await this.store.finalHeight(), hear };
    this.height ??= listener.after;
    const others = this.received.get(accountId) ?? new Set();
    this.received.set(accountId, others.add(listener));
    return () => {
      others.delete(listener);
      if (others.size === 0 && this.received.get(accountId) === others) this.received.delete(accountId);
      this.end();
    };
  }

  /**
   * Tells of the next batch that is final.
   * @returns whether there was one
   */
  async step(): Promise<boolean> {
    const { height: last } = this;
    if (last === undefined) return false;
    const height = last + 1;
    if (height > (await this.store.finalHeight())) return false;
    const batch = await this.store.findBatch(height);
    const orders = await this.store.listBatchReceived(height, [...this.received.keys()]);
    if (batch === undefined || this.height !== last) return false;
    this.height = height;
    tell(this.batches, height, batch);
    for (const order of orders) tell(this.received.get(order.order.toAccountId), height, order);
    return true;
  }

  private end(): void {
    if (this.batches.size + this.received.size === 0) this.height = undefined;
  }
}

function tell<News>(listeners: ReadonlySet<Listener<News>> | undefined, height: number, news: News): void {
  for (const { after, hear } of [...(listeners ?? [])]) if (height > after) hear(news);
}
