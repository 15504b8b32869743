import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import {
  openWalletStore,
  type AuditRecord,
  type SealedKey,
  type SealingParameters,
  type WalletStore,
} from '../src/index.js';

const PARAMETERS: SealingParameters = {
  generation: 1,
  kdf: 'scrypt',
  scryptN: 1024,
  scryptR: 8,
  scryptP: 1,
  salt: Buffer.alloc(32, 1),
  checkNonce: Buffer.alloc(12, 2),
  checkText: Buffer.alloc(35, 3),
};

function keyOf(number: number, change: Partial<SealedKey> = {}): SealedKey {
  return {
    address: Buffer.concat([Buffer.of(1), Buffer.alloc(20, number)]),
    kind: 1,
    generation: 1,
    cipher: 'aes-256-gcm',
    nonce: Buffer.alloc(12, number),
    sealed: Buffer.alloc(48, number),
    ...change,
  };
}

function recordOf(row: { readonly address: Uint8Array }, change: Partial<AuditRecord> = {}): AuditRecord {
  const plain = { caller: 'test', requestId: 'r', action: 'create', decision: 'done' } as const;
  return { ...plain, address: row.address, ...change };
}

let testDatabase: TestDatabase;
let database: Database;
let store: WalletStore;
beforeAll(async () => {
  testDatabase = await createTestDatabase('wallet');
  database = await connectDatabase({ url: testDatabase.url });
  store = openWalletStore(database);
});
afterAll(async () => {
  await store.close();
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM wallet_key; DELETE FROM vault');
  await store.createSealingParameters(PARAMETERS);
});

describe('the row of sealing parameters', () => {
  it('is made once; the second to make it gets the first', async () => {
    const other = { ...PARAMETERS, salt: Buffer.alloc(32, 9) };
    expect(Buffer.from((await store.createSealingParameters(other)).salt)).toEqual(PARAMETERS.salt);
    expect(await store.findSealingParameters()).toMatchObject({ generation: 1, scryptN: 1024 });
  });

  it('stands alone', async () => {
    await expect(database.pool.query('UPDATE vault SET id = 2')).rejects.toThrow('vault_one_row');
  });
});

describe('keys', () => {
  it('are found by address, many at a time, and not any more once they are deleted', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => keyOf(index + 1));
    for (const row of rows) expect(await store.addKey(row, recordOf(row))).toBe(true);
    const found = await Promise.all(
      [...rows, keyOf(99), ...rows].map(({ address }) => store.findKey(address)),
    );
    expect(found.slice(0, 40).map((row) => row?.address)).toEqual(rows.map(({ address }) => address));
    expect(found[40]).toBeUndefined();
    expect([await store.hasKey(keyOf(40).address), await store.hasKey(keyOf(99).address)]).toEqual([
      true,
      false,
    ]);
    expect(found[41]).toEqual(found[0]);
    const [first] = rows as [SealedKey];
    expect(await store.removeKey(first.address, recordOf(first, { action: 'delete' }))).toBe(true);
    expect(await store.removeKey(first.address, recordOf(first, { action: 'delete' }))).toBe(false);
    expect(await store.findKey(first.address)).toBeUndefined();
  });

  it('are never overwritten, and what did not happen is not recorded', async () => {
    const before = await store.listAudit({ limit: 10_000 });
    expect(await store.addKey(keyOf(1), recordOf(keyOf(1)))).toBe(true);
    const again = keyOf(1, { sealed: Buffer.alloc(48, 77) });
    expect(await store.addKey(again, recordOf(again))).toBe(false);
    expect((await store.findKey(again.address))?.sealed).toEqual(keyOf(1).sealed);
    expect(await store.listAudit({ limit: 10_000 })).toHaveLength(before.length + 1);
  });

  it('give the set of addresses a new version with every change by any connection', async () => {
    const versions = [await store.addressesVersion()];
    await store.addKey(keyOf(1), recordOf(keyOf(1)));
    versions.push(await store.addressesVersion());
    await database.pool.query('DELETE FROM wallet_key');
    versions.push(await store.addressesVersion());
    expect(new Set(versions).size).toBe(3);
    expect(await store.listAddresses()).toEqual({ version: versions[2], addresses: [] });
    await store.addKey(keyOf(2), recordOf(keyOf(2)));
    expect((await store.listAddresses()).addresses).toEqual([keyOf(2).address]);
  });

  it.each([
    ['kind', 'ALTER TABLE wallet_key DROP CONSTRAINT wallet_key_kind; UPDATE wallet_key SET kind = 9'],
    ['cipher', "UPDATE wallet_key SET cipher = 'rot13'"],
    ['nonce', "UPDATE wallet_key SET nonce = ''"],
    ['sealed', 'UPDATE wallet_key SET sealed = sealed || sealed'],
  ])('whose %s is damaged are named, and the others stay usable', async (column, damage) => {
    const row = keyOf(1);
    await store.addKey(row, recordOf(row));
    await database.pool.query(damage);
    await store.addKey(keyOf(2), recordOf(keyOf(2)));
    const [bad, good] = [store.findKey(row.address), store.findKey(keyOf(2).address)];
    await expect(bad).rejects.toThrow(`wallet_key row of address 01${'01'.repeat(20)}: ${column} is damaged`);
    expect((await good)?.address).toEqual(keyOf(2).address);
  });

  it('are put under another passphrase all at once, or not at all', async () => {
    for (const number of [1, 2]) await store.addKey(keyOf(number), recordOf(keyOf(number)));
    const audit = recordOf({ address: Buffer.of() }, { action: 'change-passphrase' });
    const fail = () => {
      throw new Error('no');
    };
    await expect(store.reseal(1, fail, audit)).rejects.toThrow('no');
    expect((await store.findSealingParameters())?.generation).toBe(1);
    const reseal = (keys: readonly SealedKey[]) => ({
      parameters: { ...PARAMETERS, generation: 2 },
      keys: keys.map((row) => ({ ...row, generation: 2, sealed: Buffer.alloc(48, 0xee) })),
    });
    await store.reseal(1, reseal, audit);
    expect((await store.findSealingParameters())?.generation).toBe(2);
    expect(await store.findKey(keyOf(2).address)).toMatchObject({
      generation: 2,
      sealed: Buffer.alloc(48, 0xee),
    });
    await expect(store.reseal(1, reseal, audit)).rejects.toThrow('the passphrase of the wallet was changed');
    await expect(store.addKey(keyOf(3), recordOf(keyOf(3)))).rejects.toThrow('was changed');
    expect(await store.findKey(keyOf(3).address)).toBeUndefined();
  });
});

describe('the use of a key', () => {
  const use = async (version: number) =>
    store.audit.appendUse(recordOf(keyOf(1), { action: 'sign', requestId: 'use' }), version);
  const uses = async () =>
    (await store.listAudit({ limit: 100_000 })).filter(({ requestId }) => requestId === 'use').length;
  const versionNow = async () => (await store.findKey(keyOf(1).address))?.version ?? 0;

  it.each([
    ['deleted', 'DELETE FROM wallet_key'],
    ['changed', "UPDATE wallet_key SET label = 'other'"],
    [
      'deleted and put back',
      `CREATE TEMP TABLE kept AS SELECT * FROM wallet_key; DELETE FROM wallet_key;
       INSERT INTO wallet_key SELECT * FROM kept; DROP TABLE kept`,
    ],
  ])('is recorded while the row is the one that was used, and not once it is %s', async (_how, change) => {
    await store.addKey(keyOf(1), recordOf(keyOf(1)));
    const version = await versionNow();
    const before = await uses();
    expect([await use(version), await use(version)]).toEqual([true, true]);
    await database.pool.query(change);
    expect(await use(version)).toBe(false);
    expect(await uses()).toBe(before + 2);
  });

  it('is checked for each record of a group: a use of an existing row is recorded, others are not', async () => {
    for (const number of [1, 2]) await store.addKey(keyOf(number), recordOf(keyOf(number)));
    const [one, two] = [await versionNow(), (await store.findKey(keyOf(2).address))?.version ?? 0];
    await store.removeKey(keyOf(1).address, recordOf(keyOf(1), { action: 'delete' }));
    const record = (number: number) => recordOf(keyOf(number), { action: 'sign' });
    const outcomes = await Promise.all([
      store.audit.appendUse(record(1), one),
      store.audit.appendUse(record(2), two),
      store.audit.append(record(1)),
      store.audit.appendUse(record(2), one),
    ]);
    expect(outcomes).toEqual([false, true, undefined, false]);
  });

  it('starts from a row that may be kept, which is read again once it is forgotten', async () => {
    await store.addKey(keyOf(1), recordOf(keyOf(1)));
    const { address } = keyOf(1);
    const first = await store.sealedKeys.find(address);
    await store.removeKey(address, recordOf(keyOf(1), { action: 'delete' }));
    expect(await store.sealedKeys.find(address)).toBe(first);
    store.sealedKeys.forget(address);
    expect(await store.sealedKeys.find(address)).toBeUndefined();
    await store.addKey(keyOf(1), recordOf(keyOf(1)));
    expect((await store.sealedKeys.find(address))?.version).not.toBe(first?.version);
    store.sealedKeys.forget(address);
  });
});

describe('the audit log', () => {
  const last = async () => (await store.listAudit({ limit: 10_000 })).at(-1)?.sequence ?? 0;

  it('keeps every field, 64-bit integers of a message included', async () => {
    const after = await last();
    const record: AuditRecord = {
      caller: 'trader\u0000\ud800-7 é😀',
      requestId: 'abc',
      address: keyOf(5).address,
      action: 'sign',
      content: 'message',
      digest: Buffer.alloc(32, 5),
      cid: 'bafy2bza',
      message: '{"Nonce": 18446744073709551615}',
      decision: 'refused',
      reason: 'FROM_MISMATCH',
    };
    await store.audit.append(record);
    const [stored] = await store.listAudit({ after, limit: 10 });
    expect(stored).toMatchObject({ ...record, caller: 'trader??-7 é😀' });
    expect(stored?.at.getTime()).toBeGreaterThan(Date.now() - 3_600_000);
  });

  it('takes many at the same time and keeps each of them once', async () => {
    const after = await last();
    const ids = Array.from({ length: 2_500 }, (_, index) => `request-${index}`);
    await Promise.all(ids.map((requestId) => store.audit.append(recordOf(keyOf(6), { requestId }))));
    const stored = await store.listAudit({ after, limit: 10_000 });
    expect(stored.map(({ requestId }) => requestId).sort()).toEqual([...ids].sort());
  });

  it('is read by address and in pages', async () => {
    const after = await last();
    for (const number of [1, 2, 1, 2, 1]) await store.audit.append(recordOf(keyOf(number)));
    const address = keyOf(1).address;
    const page = await store.listAudit({ after, address, limit: 2 });
    const rest = await store.listAudit({ after: page[1]?.sequence, address, limit: 2 });
    expect([page.length, rest.length]).toEqual([2, 1]);
  });

  it.each([
    'UPDATE audit_record SET caller = $$other$$',
    'DELETE FROM audit_record',
    'DELETE FROM audit_record WHERE false',
    'TRUNCATE audit_record',
  ])('cannot be changed: %s', async (statement) => {
    await store.audit.append(recordOf(keyOf(1)));
    await expect(database.pool.query(statement)).rejects.toThrow(/audit_record is append-only/);
  });

  it('fails who waits when a record cannot be stored, and continues afterwards', async () => {
    const bad = recordOf(keyOf(1), { decision: 'maybe' as never });
    await expect(store.audit.append(bad)).rejects.toThrow('audit_record_decision');
    await store.audit.append(recordOf(keyOf(1)));
  });
});
