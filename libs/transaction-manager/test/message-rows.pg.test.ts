import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import type { PtmKey } from '@tetrad/types';
import { generateKeyPair } from '../src/keys/key-pair.js';
import type { MessagePair, PartyMessage } from '../src/message/party-message.js';
import { openManagerStore, type ManagerStore } from '../src/store/open-manager-store.js';
import { orderAt, type MessageStore } from '../src/store/message-store.js';

let testDatabase: TestDatabase;
let database: Database;
let stores: [ManagerStore, ManagerStore];
let store: MessageStore;
let other: MessageStore;
beforeAll(async () => {
  testDatabase = await createTestDatabase('transaction-manager');
  database = await connectDatabase({ url: testDatabase.url });
  // The second is that of another process, which shares nothing with the first but the rows.
  stores = [openManagerStore(database), openManagerStore(database)];
  [store, other] = [stores[0].messages, stores[1].messages];
});
afterAll(async () => {
  for (const one of stores) await one.close();
  await database.close();
  await testDatabase.drop();
});

const UNBOUNDED = { ofOne: 10_000, ofAll: 10_000, pairs: Infinity };
const ONE = { max: 1, bytes: 65_536 };
const newKey = (): PtmKey => generateKeyPair().publicKey;
const newPair = (): MessagePair => ({ from: newKey(), to: newKey() });
const messageOf = (pair: MessagePair, text = '') => ({ ...pair, kind: 'test', body: Buffer.from(text) });
const textOf = ({ body }: { readonly body: Uint8Array }) => Buffer.from(body).toString();

async function take(into: MessageStore, message: PartyMessage, max: number): Promise<boolean | undefined> {
  return (await into.take([message], max))[0];
}

/** All that waits for the recipient of the pair, as it is delivered. */
async function drain(pair: MessagePair): Promise<{ readonly id: bigint; order: bigint; text: string }[]> {
  const found: { id: bigint; order: bigint; text: string }[] = [];
  for (let delivered: bigint[] = []; ;) {
    const [next] = await store.next(pair, delivered, ONE);
    if (next === undefined) break;
    found.push({ id: next.id, order: next.order, text: textOf(next) });
    delivered = [next.id];
  }
  return found;
}

async function unreadOf({ from }: MessagePair): Promise<string[]> {
  return (await store.unread(10_000)).filter((one) => one.from === from).map(textOf);
}

describe('messages that are taken', () => {
  it('are delivered as they were given, in their order, which is that of the clock', async () => {
    const pair = newPair();
    const before = orderAt(Date.now());
    for (const text of ['one', '', 'three']) expect(await take(store, messageOf(pair, text), 9)).toBe(true);
    expect(await store.next(pair, [], ONE)).toMatchObject([
      { ...pair, kind: 'test', body: Buffer.from('one') },
    ]);
    const delivered = await drain(pair);
    expect(delivered.map(({ text }) => text)).toEqual(['one', '', 'three']);
    for (const { order } of delivered) {
      expect(order).toBeGreaterThanOrEqual(before);
      expect(order).toBeLessThanOrEqual(orderAt(Date.now()) + 3n);
    }
  });

  it('of one pair at once have orders that grow with their rows, and hold the maximum over processes', async () => {
    const pairs = [newPair(), newPair()];
    const taken = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const pair = pairs[index % 2] ?? newPair();
        return take(index % 3 === 0 ? other : store, messageOf(pair, String(index)), 40);
      }),
    );
    for (const [nth, pair] of pairs.entries()) {
      const accepted = taken.flatMap((one, index) => (one && index % 2 === nth ? [index] : []));
      const delivered = await drain(pair);
      expect(delivered).toHaveLength(40);
      expect(new Set(delivered.map(({ text }) => Number(text)))).toEqual(new Set(accepted));
      for (const [at, { order, id }] of delivered.entries()) {
        if (at === 0) continue;
        expect(order).toBeGreaterThan(delivered[at - 1]?.order ?? 0n);
        expect(id).toBeGreaterThan(delivered[at - 1]?.id ?? 0n);
      }
    }
  });

  it('together are stored in their order, as far as there is room for those of each pair', async () => {
    const [first, second] = [newPair(), newPair()];
    const messages = [first, second, first, first, second].map((pair, at) => messageOf(pair, String(at)));
    expect(await store.take(messages, 2)).toEqual([true, true, true, false, true]);
    expect((await drain(first)).map(({ text }) => text)).toEqual(['0', '2']);
    expect((await drain(second)).map(({ text }) => text)).toEqual(['1', '4']);
  });

  it('hold the maximum also where other processes take without pause', async () => {
    const pair = newPair();
    const many = Array.from({ length: 8 }, () => openManagerStore(database));
    const taken = await Promise.all(
      many.flatMap(({ messages }, process) =>
        Array.from({ length: 10 }, async (_, turn) => {
          await new Promise((due) => setTimeout(due, turn));
          return take(messages, messageOf(pair, `${process} ${turn}`), 25);
        }),
      ),
    );
    for (const one of many) await one.close();
    expect(taken.filter((one) => one)).toHaveLength(25);
    const orders = (await drain(pair)).map(({ order }) => order);
    expect(orders).toEqual([...new Set(orders)].sort((a, b) => Number(a - b)));
    expect(orders).toHaveLength(25);
  });

  it('wait by pairs, the oldest first, until they are forgotten', async () => {
    const [first, second] = [newPair(), newPair()];
    for (const pair of [first, second, first]) await take(store, messageOf(pair), 9);
    expect(await store.waiting()).toEqual([first, second]);
    await drain(first);
    expect(await store.waiting()).toEqual([second]);
    await drain(second);
    expect(await store.waiting()).toEqual([]);
  });

  it('have room again when some are forgotten, and none where the maximum waits', async () => {
    const pair = newPair();
    for (const has of [true, true, false, false]) expect(await take(store, messageOf(pair), 2)).toBe(has);
    const [next] = await store.next(pair, [], ONE);
    await store.next(pair, [next?.id ?? 0n], ONE);
    expect(await Promise.all([1, 2].map(() => take(store, messageOf(pair), 2)))).toEqual([true, false]);
    expect(await drain(pair)).toHaveLength(2);
  });
});

describe('messages that are read together', () => {
  it('are the oldest of their pair, within the bounds, and are forgotten together', async () => {
    const pair = newPair();
    const texts = ['aaa', 'bbbb', '', 'cc', 'd'];
    for (const text of texts) await take(store, messageOf(pair, text), 9);
    const all = await store.next(pair, [], { max: 64, bytes: 1_000 });
    expect(all.map(textOf)).toEqual(texts);
    const few = await store.next(pair, [], { max: 3, bytes: 1_000 });
    expect(few).toEqual(all.slice(0, 3));
    expect(await store.next(pair, [], { max: 64, bytes: 8 })).toEqual(few);
    const ids = few.map(({ id }) => id);
    const rest = await store.next(pair, ids, { max: 64, bytes: 1_000 });
    expect(rest.map(textOf)).toEqual(['cc', 'd']);
    expect((await drain(pair)).map(({ text }) => text)).toEqual(['cc', 'd']);
  });
});

describe('messages that come together', () => {
  const groupOf = (pair: MessagePair, orders: readonly bigint[]) =>
    orders.map((order) => ({ ...messageOf(pair, String(order)), order }));

  it('are stored in their order, without those that were stored before', async () => {
    const pair = newPair();
    expect(await store.receive(pair, groupOf(pair, [3n, 4n, 7n]), UNBOUNDED)).toBe(true);
    expect(await store.receive(pair, groupOf(pair, [2n, 4n, 7n, 9n, 11n]), UNBOUNDED)).toBe(true);
    expect(await store.receive(pair, groupOf(pair, [9n, 11n]), UNBOUNDED)).toBe(true);
    expect(await unreadOf(pair)).toEqual(['3', '4', '7', '9', '11']);
  });

  it('are stored all or none, where there is no room for all', async () => {
    const pair = newPair();
    const bounds = { ...UNBOUNDED, ofOne: 3 };
    expect(await store.receive(pair, groupOf(pair, [1n, 2n]), bounds)).toBe(true);
    expect(await store.receive(pair, groupOf(pair, [2n, 3n, 4n]), bounds)).toBe(false);
    expect(await unreadOf(pair)).toEqual(['1', '2']);
    expect(await store.receive(pair, groupOf(pair, [1n, 2n, 3n]), bounds)).toBe(true);
    expect(await unreadOf(pair)).toEqual(['1', '2', '3']);
  });

  it('are stored once each where requests with some of them come at a time', async () => {
    const pair = newPair();
    const orders = Array.from({ length: 40 }, (_, index) => BigInt(index + 1));
    await Promise.all(
      orders.map((_, at) =>
        (at % 2 === 0 ? store : other).receive(pair, groupOf(pair, orders.slice(0, at + 1)), UNBOUNDED),
      ),
    );
    expect(await unreadOf(pair)).toEqual(orders.map(String));
  });
});

describe('messages that come', () => {
  it('are stored once, however many requests with one come at a time', async () => {
    const pair = newPair();
    for (const order of [5n, 6n, 9n]) {
      const requests = Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? store : other).receive(
          pair,
          [{ ...messageOf(pair, String(order)), order }],
          UNBOUNDED,
        ),
      );
      expect(await Promise.all(requests)).toEqual(requests.map(() => true));
    }
    expect(await unreadOf(pair)).toEqual(['5', '6', '9']);
  });

  it('at a time with later ones are stored in their order, or not at all', async () => {
    const pair = newPair();
    const orders = Array.from({ length: 30 }, (_, index) => BigInt(index + 1));
    await Promise.all(
      orders.map((order) => store.receive(pair, [{ ...messageOf(pair, String(order)), order }], UNBOUNDED)),
    );
    const found = (await unreadOf(pair)).map(Number);
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found.at(-1)).toBe(30);
  });

  it('of a repeated order change nothing, also where there is no room', async () => {
    const pair = newPair();
    const message = { ...messageOf(pair, 'first'), order: 7n };
    expect(await store.receive(pair, [message], UNBOUNDED)).toBe(true);
    const full = { ofOne: 1, ofAll: 1, pairs: 1 };
    for (const order of [7n, 6n, 1n])
      expect(await store.receive(pair, [{ ...messageOf(pair, 'again'), order }], full)).toBe(true);
    expect(await store.receive(pair, [{ ...messageOf(pair, 'later'), order: 8n }], full)).toBe(false);
    expect(await unreadOf(pair)).toEqual(['first']);
    // One without room has not moved the pair on.
    expect(await store.receive(pair, [{ ...messageOf(pair, 'later'), order: 8n }], UNBOUNDED)).toBe(true);
    expect(await unreadOf(pair)).toEqual(['first', 'later']);
  });

  it('are forgotten by sequence and tag alone', async () => {
    const pair = newPair();
    for (const order of [1n, 2n])
      await store.receive(pair, [{ ...messageOf(pair, String(order)), order }], UNBOUNDED);
    const [first, second] = (await store.unread(10_000))
      .filter(({ from }) => from === pair.from)
      .map(({ id }) => id.split('-'))
      .map(([sequence = '', tag]) => ({ sequence: BigInt(sequence), tag: Number(tag) }));
    if (first === undefined || second === undefined) throw new Error('messages are missing');
    await store.acknowledge([
      { ...first, tag: first.tag ^ 1 },
      { sequence: 2n ** 63n - 1n, tag: 1 },
    ]);
    expect(await unreadOf(pair)).toEqual(['1', '2']);
    await store.acknowledge([second]);
    expect(await unreadOf(pair)).toEqual(['1']);
    await store.acknowledge([first, second]);
    expect(await unreadOf(pair)).toEqual([]);
  });
});
