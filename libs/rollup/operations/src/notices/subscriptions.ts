import { randomBytes } from 'node:crypto';
import { RequestError } from '@tetrad/types';

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

const ID_BYTES = 16;

/** The subscriptions of connections; they end with their connection. */
export class Subscriptions {
  /** Connection → id → how to end the subscription. */
  private readonly byConnection = new Map<Subscriber, Map<string, () => void>>();
  private count = 0;

  constructor(private readonly limits: SubscriptionLimits) {}

  /**
   * @param listen - begins to notify under the id, and gives what ends it
   * @returns the id
   * @throws RequestError (SUBSCRIPTIONS_NEED_WEBSOCKET, TOO_MANY_SUBSCRIPTIONS); as `listen`
   */
  async add<Client extends Subscriber>(
    connection: Client | undefined,
    listen: (id: string, connection: Client) => Promise<() => void>,
  ): Promise<string> {
    const own = this.of(connection);
    const { perConnection, total } = this.limits;
    if (own.size >= perConnection || this.count >= total)
      throw new RequestError('TOO_MANY_SUBSCRIPTIONS', 'too many subscriptions', { limit: perConnection });
    const id = `0x${randomBytes(ID_BYTES).toString('hex')}`;
    // Counted before it listens, so that calls that come together stay within the limits.
    this.count += 1;
    own.set(id, () => undefined);
    const stop = await listen(id, connection as Client).catch((error: unknown) => {
      this.forget(own, id);
      throw error;
    });
    // The client may have gone meanwhile.
    if (!own.has(id)) stop();
    else own.set(id, stop);
    return id;
  }

  /** @throws RequestError (SUBSCRIPTIONS_NEED_WEBSOCKET, SUBSCRIPTION_NOT_FOUND) */
  remove(connection: Subscriber | undefined, id: string): boolean {
    const own = this.of(connection);
    if (!own.has(id)) throw new RequestError('SUBSCRIPTION_NOT_FOUND', 'subscription not found');
    this.forget(own, id);
    return true;
  }

  private forget(own: Map<string, () => void>, id: string): void {
    const stop = own.get(id);
    if (stop === undefined) return;
    own.delete(id);
    this.count -= 1;
    stop();
  }

  private of(connection: Subscriber | undefined): Map<string, () => void> {
    if (connection === undefined)
      throw new RequestError('SUBSCRIPTIONS_NEED_WEBSOCKET', 'notices are sent over WebSocket only');
    let own = this.byConnection.get(connection);
    if (own === undefined) {
      const created = new Map<string, () => void>();
      own = created;
      this.byConnection.set(connection, created);
      connection.onClose(() => {
        for (const id of [...created.keys()]) this.forget(created, id);
        this.byConnection.delete(connection);
      });
    }
    return own;
  }
}
