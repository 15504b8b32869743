import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { openManagerStore, type ManagerStore } from '../src/store/open-manager-store.js';
import type { StoredPayload } from '../src/store/stored-payload.js';
import { hexBytes, recorded, recordedPair } from './recorded.js';

let testDatabase: TestDatabase;
let database: Database;
let stored: ManagerStore;
let store: ManagerStore['payloads'];
beforeAll(async () => {
  testDatabase = await createTestDatabase('transaction-manager');
  database = await connectDatabase({ url: testDatabase.url });
  stored = openManagerStore(database);
  store = stored.payloads;
});
afterAll(async () => {
  await stored.close();
  await database.close();
  await testDatabase.drop();
});

function row(recipients: readonly Uint8Array[] = [], hash: Uint8Array = randomBytes(64)): StoredPayload {
  return { hash, encoded: randomBytes(20), recipients };
}

describe('payloads', () => {
  it('are read as they were stored', async () => {
    const rows = Array.from({ length: 20 }, () => row());
    expect(await Promise.all(rows.map((one) => store.add(one)))).not.toContain(false);
    expect(await Promise.all(rows.map(({ hash }) => store.find(hash)))).toEqual(
      rows.map(({ encoded }) => encoded),
    );
    expect(await store.find(randomBytes(64))).toBeUndefined();
  });

  it('are found several together, and how large they are without them', async () => {
    const [first, second] = [row(), row()];
    for (const one of [first, second]) await store.add(one);
    const hashes = [second.hash, randomBytes(64), first.hash];
    expect(await store.findTogether(hashes)).toEqual([second.encoded, undefined, first.encoded]);
    expect(await Promise.all(hashes.map((hash) => store.sizeOf(hash)))).toEqual([20, undefined, 20]);
    expect(await Promise.all(hashes.map((hash) => store.has(hash)))).toEqual([true, false, true]);
  });

  it('are not replaced by others of the same hash, whether together or later', async () => {
    const hash = randomBytes(64);
    const [first, second, third] = [row([], hash), row([], hash), row([], hash)];
    expect(await Promise.all([store.add(first), store.add(second)])).toEqual([true, false]);
    expect(await store.add(third)).toBe(false);
    expect(await store.find(hash)).toEqual(first.encoded);
  });

  it('are found by recipient, page after page', async () => {
    const [key, other] = [randomBytes(32), randomBytes(32)];
    const rows = [row([key, other]), row([other]), row([key, key]), row([key])];
    for (const one of rows) await store.add(one);
    const first = await store.page(key, 0, 2);
    const second = await store.page(key, first.at(-1)?.sequence ?? 0, 2);
    const own = [rows[0], rows[2], rows[3]].map((one) => one?.encoded);
    expect([...first, ...second].map(({ encoded }) => encoded)).toEqual(own);
  });

  it('take changes one after another', async () => {
    const [key, one] = [randomBytes(32), row()];
    await store.add(one);
    const append = (encoded: Uint8Array): StoredPayload => ({
      ...one,
      recipients: [key],
      encoded: Buffer.concat([encoded, Buffer.of(1)]),
    });
    const changes = Array.from({ length: 8 }, () => store.change(one.hash, append));
    expect(await Promise.all(changes)).not.toContain(false);
    expect(await store.find(one.hash)).toHaveLength(28);
    expect(await store.page(key, 0, 10)).toHaveLength(1);
    expect(await store.change(randomBytes(64), append)).toBe(false);
  });

  it('are withdrawn with their recipients unless all of those have them', async () => {
    const key = randomBytes(32);
    const [settled, withdrawn] = [row([key]), row([key])];
    for (const one of [settled, withdrawn]) await store.add({ ...one, undelivered: true });
    expect((await store.undelivered()).map((hash) => Buffer.from(hash).toString('hex')).sort()).toEqual(
      [settled, withdrawn].map(({ hash }) => Buffer.from(hash).toString('hex')).sort(),
    );
    await store.settle([settled.hash]);
    for (const { hash } of [settled, withdrawn]) await store.withdraw(hash);
    expect(await Promise.all([settled, withdrawn].map(({ hash }) => store.isUndelivered(hash)))).toEqual([
      false,
      false,
    ]);
    expect((await store.page(key, 0, 10)).map(({ encoded }) => encoded)).toEqual([settled.encoded]);
  });

  it('go with what is known of their recipients', async () => {
    const [key, hash] = [randomBytes(32), randomBytes(64)];
    await store.add(row([key], hash));
    expect(await store.delete(hash)).toBe(true);
    expect(await store.delete(hash)).toBe(false);
    expect([await store.find(hash), await store.page(key, 0, 1)]).toEqual([undefined, []]);
  });
});

describe('payloads that wait for their signed transaction', () => {
  it('are read as they were stored', async () => {
    const [{ cipherText, encryptedKey, nonce, hash, sender }] = recorded.storeraw as [
      (typeof recorded.storeraw)[0],
    ];
    const raw = {
      sender,
      cipherText: hexBytes(cipherText),
      nonce: hexBytes(nonce),
      encryptedKey: hexBytes(encryptedKey),
    };
    const { raws } = stored;
    expect(Buffer.from(await raws.add(raw)).toString('base64')).toBe(hash);
    expect(await raws.find(Buffer.from(hash, 'base64'))).toEqual(raw);
    expect(await raws.find(randomBytes(64))).toBeUndefined();
    const taken = Buffer.from(hash, 'base64');
    expect([raws.takeUnsent(taken), raws.takeUnsent(taken)]).toEqual([true, false]);
  });
});

describe('privacy groups', () => {
  it('are found by id and by members until they are deleted', async () => {
    const { groups } = stored;
    const group = {
      id: randomBytes(32),
      lookup: randomBytes(32),
      name: 'n',
      description: 'd',
      seed: randomBytes(20),
      members: [recordedPair('a1').publicKey, recordedPair('b1').publicKey],
      kind: 'PANTHEON' as const,
      active: true,
    };
    expect([await groups.add(group), await groups.add({ ...group, name: 'other' })]).toEqual([true, false]);
    expect(await groups.find(group.id)).toEqual(group);
    expect(await groups.findByMembers(group.lookup)).toEqual([group]);
    expect(await groups.ofKind('PANTHEON')).toEqual([group]);
    await groups.delete(group.id);
    expect(await groups.add(group)).toBe(false);
    expect([await groups.find(group.id), await groups.findByMembers(group.lookup)]).toEqual([undefined, []]);
  });

  it('are no more than a hundred thousand, the deleted ones too', async () => {
    await database.pool.query(
      `INSERT INTO privacy_group (id, lookup, name, description, seed, members, kind, active)
       SELECT sha256(i::text::bytea), '', '', '', '', '{}', 'PANTHEON', false FROM generate_series(1, 100000) AS i`,
    );
    const id = createHash('sha256').update('1').digest();
    const none = { lookup: randomBytes(32), name: 'n', description: '', seed: randomBytes(20), members: [] };
    const group = { ...none, kind: 'PANTHEON', active: true } as const;
    expect(await stored.groups.add({ ...group, id })).toBe(false);
    await expect(stored.groups.add({ ...group, id: randomBytes(32) })).rejects.toThrow(
      'there are 100000 privacy groups; that is the limit',
    );
    await database.pool.query('TRUNCATE privacy_group');
  });
});

describe('staged payloads', () => {
  it('are kept once, until they are removed, with what each refers to', async () => {
    const { staged } = stored;
    const [first, second] = [randomBytes(64), randomBytes(64)];
    const later = { hash: second, encoded: randomBytes(30), affected: [first, randomBytes(64)] };
    const earlier = { hash: first, encoded: randomBytes(30), affected: [] };
    for (const payload of [later, earlier, later]) await staged.add(payload);
    const order = await staged.order();
    const [one, other] = order.map(({ sequence }) => sequence) as [number, number];
    expect(order).toEqual([
      { sequence: one, after: [other] },
      { sequence: other, after: [] },
    ]);
    expect(await staged.find(one)).toEqual(new Uint8Array(later.encoded));
    await staged.remove(one);
    expect([await staged.find(one), await staged.order()]).toEqual([
      undefined,
      [{ sequence: other, after: [] }],
    ]);
  });
});

describe('holders of keys', () => {
  const [a1, b1] = [recordedPair('a1').publicKey, recordedPair('b1').publicKey];

  it('are read in the order in which they were proved last', async () => {
    const { holders } = stored;
    await holders.save(a1, { url: 'http://one/', bound: false });
    await holders.save(b1, { url: 'http://other/', bound: true });
    const proved = Date.now();
    await until(() => Date.now() > proved);
    await holders.save(a1, { url: 'http://one/', bound: true });
    expect(await holders.all()).toEqual([
      { key: b1, url: 'http://other/', bound: true },
      { key: a1, url: 'http://one/', bound: true },
    ]);
    await holders.remove(b1);
    expect(await holders.all()).toMatchObject([{ key: a1 }]);
  });

  it('have the sealed mark of the greatest order kept, and an unsealed one only without it', async () => {
    const { holders } = stored;
    const [first, second, third] = [1, 2, 3].map((byte) => new Uint8Array([byte])) as [
      ...[Uint8Array, Uint8Array, Uint8Array],
    ];
    await holders.keepMark(b1, { mark: first, order: 1 });
    expect([await holders.findMark(b1), await holders.findMark(a1)]).toEqual([undefined, undefined]);
    await holders.keepMark(a1, { mark: first, order: 0 });
    expect(await holders.findMark(a1)).toBeUndefined();
    for (const mark of [first, second]) await holders.keepUnsealedMark(a1, mark);
    expect(await holders.findMark(a1)).toEqual({ mark: second, order: 0 });
    await holders.keepMark(a1, { mark: third, order: Number.MAX_SAFE_INTEGER - 1 });
    for (const order of [7, Number.MAX_SAFE_INTEGER - 1]) await holders.keepMark(a1, { mark: first, order });
    await holders.keepUnsealedMark(a1, first);
    expect(await holders.findMark(a1)).toEqual({ mark: third, order: Number.MAX_SAFE_INTEGER - 1 });
  });
});

describe('the row of completeness', () => {
  it('is stored while no payload was, and its epochs follow the latest that was noted', async () => {
    const { completeness } = stored;
    await database.pool.query('TRUNCATE payload, payload_recipient, staged_payload, completeness');
    expect([await completeness.open(), await completeness.open()]).toEqual(['unchecked', 'unchecked']);
    await completeness.reopen();
    await store.add(row());
    expect([await completeness.open(), await completeness.position()]).toEqual([undefined, undefined]);
    const later = Date.now() + 86_400_000;
    await Promise.all([later, later - 5_000, later - 1].map((sinceMs) => completeness.noteEpoch(sinceMs)));
    await completeness.set('declared');
    expect(await completeness.position()).toMatchObject({ sinceMs: later + 1 });
    await completeness.reopen();
    expect(await completeness.find()).toBe('declared');
    await completeness.set('unconfirmed');
    const { rows } = await database.pool.query('SELECT state, recovered FROM completeness');
    expect([await completeness.find(), rows]).toEqual([
      'unconfirmed',
      [{ state: 'unchecked', recovered: true }],
    ]);
    await completeness.set('recovered');
    expect(await completeness.find()).toBe('recovered');
    await completeness.forget();
    expect(await completeness.find()).toBeUndefined();
  });
});
