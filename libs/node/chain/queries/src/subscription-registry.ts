import { RequestError } from '@tetrad/types';
import type { Criteria, CriteriaSpace } from './criteria-space.js';
import { newFilterId } from './filter-registry.js';

/** A connection of a client. */
export interface Subscriber {
  /** Calls the listener once when the client has gone. */
  onClose(listener: () => void): void;
}

export interface SubscriptionLimits {
  readonly perConnection: number;
  /** Total of all connections. */
  readonly total: number;
}

/** What a client subscribes to. */
export interface Wanted {
  /** Undefined for subscriptions without criteria. */
  readonly criteria: Criteria | undefined;
  /** Starts notifications under the id; the result stops them. */
  readonly listen: (id: string) => () => void;
}

/** The subscriptions of connections; they end with their connection. */
export class SubscriptionRegistry {
  /** Connection → id → how to end the subscription. */
  private readonly byConnection = new Map<Subscriber, Map<string, () => void>>();
  private count = 0;

  constructor(
    private readonly options: {
      readonly limits: SubscriptionLimits;
      /** Shared with the polling filters. */
      readonly criteria: CriteriaSpace;
    },
  ) {}

  /**
   * @returns its id
   * @throws RequestError SUBSCRIPTIONS_NEED_WEBSOCKET, TOO_MANY_SUBSCRIPTIONS
   */
  add(connection: Subscriber | undefined, { criteria: wanted, listen }: Wanted): string {
    const own = this.of(connection);
    const { limits, criteria } = this.options;
    if (own.size >= limits.perConnection || this.count >= limits.total)
      throw new RequestError('TOO_MANY_SUBSCRIPTIONS', 'too many subscriptions', {
        limit: limits.perConnection,
      });
    if (!criteria.take(wanted))
      throw new RequestError(
        'TOO_MANY_SUBSCRIPTIONS',
        'too many addresses, topics and hashes in all subscriptions',
      );
    const id = newFilterId();
    const stop = listen(id);
    this.count++;
    own.set(id, () => {
      stop();
      this.count--;
      criteria.giveBack(wanted);
    });
    return id;
  }

  /** @throws RequestError SUBSCRIPTIONS_NEED_WEBSOCKET, SUBSCRIPTION_NOT_FOUND */
  remove(connection: Subscriber | undefined, id: string): boolean {
    const own = this.of(connection);
    const stop = own.get(id);
    if (stop === undefined) throw new RequestError('SUBSCRIPTION_NOT_FOUND', 'subscription not found');
    stop();
    return own.delete(id);
  }

  private of(connection: Subscriber | undefined): Map<string, () => void> {
    if (connection === undefined) {
      throw new RequestError('SUBSCRIPTIONS_NEED_WEBSOCKET', 'notifications not supported');
    }
    let own = this.byConnection.get(connection);
    if (own === undefined) {
      const created = new Map<string, () => void>();
      own = created;
      this.byConnection.set(connection, created);
      connection.onClose(() => {
        for (const stop of created.values()) stop();
        this.byConnection.delete(connection);
      });
    }
    return own;
  }
}
