import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { parseAddress } from '@tetrad/types';
import { LedgerStoreError, openLedgerStore, type LedgerStore } from '../src/index.js';

const VALIDATOR = parseAddress(`0x${'aa'.repeat(20)}`);
const OTHER = parseAddress(`0x${'bb'.repeat(20)}`);
const row = (height: number, round: number, ...record: number[]) => ({
  height,
  round,
  record: Uint8Array.from(record),
});

let testDatabase: TestDatabase;
let database: Database;
let store: LedgerStore;

beforeEach(async () => {
  testDatabase = await createTestDatabase('node');
  database = await connectDatabase({ url: testDatabase.url });
  store = await openLedgerStore(database);
});
afterEach(async () => {
  await store.close();
  await database.close();
  await testDatabase.drop();
});

describe('what a validator signed', () => {
  it('is not there before it signs, and is kept by validator', async () => {
    expect(await store.consensusRecords.find(VALIDATOR)).toBeUndefined();
    await store.consensusRecords.save(VALIDATOR, row(1, 0, 1));
    await store.consensusRecords.save(OTHER, row(9, 9, 2));
    expect([...((await store.consensusRecords.find(VALIDATOR)) ?? [])]).toEqual([1]);
    expect([...((await store.consensusRecords.find(OTHER)) ?? [])]).toEqual([2]);
  });

  it.each([
    ['the same view', row(5, 3, 2)],
    ['a later round', row(5, 4, 2)],
    ['round 0 of a later height', row(6, 0, 2)],
  ])('is replaced by that of %s', async (_, later) => {
    await store.consensusRecords.save(VALIDATOR, row(5, 3, 1));
    await store.consensusRecords.save(VALIDATOR, later);
    expect([...((await store.consensusRecords.find(VALIDATOR)) ?? [])]).toEqual([2]);
  });

  it.each([
    ['an earlier round', row(5, 2, 2)],
    ['a later round of an earlier height', row(4, 9, 2)],
  ])('is not replaced by that of %s', async (_, earlier) => {
    await store.consensusRecords.save(VALIDATOR, row(5, 3, 1));
    const saving = store.consensusRecords.save(VALIDATOR, earlier);
    await expect(saving).rejects.toThrow(LedgerStoreError);
    expect([...((await store.consensusRecords.find(VALIDATOR)) ?? [])]).toEqual([1]);
  });

  it('is there after the store was opened again, with rounds of all 32 bits', async () => {
    await store.consensusRecords.save(VALIDATOR, row(2 ** 40, 0xffffffff, 7, 8));
    await store.close();
    store = await openLedgerStore(database);
    expect([...((await store.consensusRecords.find(VALIDATOR)) ?? [])]).toEqual([7, 8]);
  });
});
