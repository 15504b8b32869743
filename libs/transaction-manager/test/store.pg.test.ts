import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { PayloadStore, type PayloadRow } from '../src/store/payload-store.js';
import { PrivacyGroupStore } from '../src/store/privacy-group-store.js';
import { RawPayloadStore } from '../src/store/raw-payload-store.js';
import { hexBytes, recorded, recordedPair } from './recorded.js';

let testDatabase: TestDatabase;
let database: Database;
let store: PayloadStore;
beforeAll(async () => {
  testDatabase = await createTestDatabase('transaction-manager');
  database = await connectDatabase({ url: testDatabase.url });
  store = new PayloadStore(database);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function row(recipients: readonly Uint8Array[] = [], hash: Uint8Array = randomBytes(64)): PayloadRow {
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
    const append = (encoded: Uint8Array): PayloadRow => ({
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
    const raws = new RawPayloadStore(database);
    expect(Buffer.from(await raws.add(raw)).toString('base64')).toBe(hash);
    expect(await raws.find(Buffer.from(hash, 'base64'))).toEqual(raw);
    expect(await raws.find(randomBytes(64))).toBeUndefined();
  });
});

describe('privacy groups', () => {
  it('are found by id and by members until they are deleted', async () => {
    const groups = new PrivacyGroupStore(database);
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
});
