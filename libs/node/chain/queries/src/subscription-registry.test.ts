import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS } from '@tetrad/types';
import { CriteriaSpace } from './criteria-space.js';
import { SubscriptionRegistry, type Subscriber } from './subscription-registry.js';

/** A connection that the test closes. */
class Client implements Subscriber {
  private readonly closed: (() => void)[] = [];

  onClose(listener: () => void): void {
    this.closed.push(listener);
  }

  close(): void {
    for (const listener of this.closed) listener();
  }
}

/** A registry, and the ids that are being notified. */
function registry({ perConnection = 2, total = 3, space = 10 } = {}) {
  const live = new Set<string>();
  const subscriptions = new SubscriptionRegistry({
    limits: { perConnection, total },
    criteria: new CriteriaSpace(space),
  });
  const add = (client: Client | undefined, addresses = 0) =>
    subscriptions.add(client, {
      criteria: { addresses: new Array(addresses).fill(ZERO_ADDRESS), topics: [] },
      listen: (id) => {
        live.add(id);
        return () => live.delete(id);
      },
    });
  return { subscriptions, add, live };
}

describe('the subscriptions of a connection', () => {
  it('are notified until they are removed', () => {
    const { subscriptions, add, live } = registry();
    const client = new Client();
    const id = add(client);
    expect([...live]).toEqual([id]);
    expect(subscriptions.remove(client, id)).toBe(true);
    expect(live.size).toBe(0);
    expect(() => subscriptions.remove(client, id)).toThrow('subscription not found');
  });

  it('end with it, and those of others go on', () => {
    const { add, live } = registry();
    const [one, other] = [new Client(), new Client()];
    add(one);
    add(one);
    const kept = add(other);
    one.close();
    expect([...live]).toEqual([kept]);
  });

  it('cannot be removed by another one', () => {
    const { subscriptions, add, live } = registry();
    const id = add(new Client());
    expect(() => subscriptions.remove(new Client(), id)).toThrow('subscription not found');
    expect(live.has(id)).toBe(true);
  });

  it('need a connection', () => {
    const { subscriptions, add } = registry();
    const rejection = expect.objectContaining({ code: 'SUBSCRIPTIONS_NEED_WEBSOCKET' });
    expect(() => add(undefined)).toThrow(rejection);
    expect(() => subscriptions.remove(undefined, '0x1')).toThrow(rejection);
  });
});

describe('the number of subscriptions', () => {
  const tooMany = expect.objectContaining({ code: 'TOO_MANY_SUBSCRIPTIONS' });

  it('is bounded per connection and in total, and is released at the end', () => {
    const { subscriptions, add, live } = registry({ perConnection: 2, total: 3 });
    const [one, other] = [new Client(), new Client()];
    const first = add(one);
    add(one);
    expect(() => add(one)).toThrow(tooMany);
    add(other);
    expect(() => add(other)).toThrow(tooMany);
    subscriptions.remove(one, first);
    add(other);
    other.close();
    add(one);
    expect(live.size).toBe(2);
  });

  it('is bounded by their criteria together', () => {
    const { subscriptions, add, live } = registry({ space: 5 });
    const client = new Client();
    const big = add(client, 4);
    expect(() => add(client, 2)).toThrow(tooMany);
    expect(live.size).toBe(1);
    subscriptions.remove(client, big);
    add(client, 5);
  });
});
