import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { LedgerStoreError } from '../src/index.js';
import { StoreFixture } from './store-fixture.js';

const VALIDATOR = parseAddress(`0x${'aa'.repeat(20)}`);
const OTHER = parseAddress(`0x${'bb'.repeat(20)}`);
const row = (height: number, round: number, ...record: number[]) => ({
  height,
  round,
  record: Uint8Array.from(record),
});

const open = StoreFixture.forEachTest();

describe('the record of a validator', () => {
  it('is missing before it signs, and is kept by validator', async () => {
    expect(await open.store.consensusRecords.find(VALIDATOR)).toBeUndefined();
    await open.store.consensusRecords.save(VALIDATOR, row(1, 0, 1));
    await open.store.consensusRecords.save(OTHER, row(9, 9, 2));
    expect([...((await open.store.consensusRecords.find(VALIDATOR)) ?? [])]).toEqual([1]);
    expect([...((await open.store.consensusRecords.find(OTHER)) ?? [])]).toEqual([2]);
  });

  it.each([
    ['the same view', row(5, 3, 2)],
    ['a later round', row(5, 4, 2)],
    ['round 0 of a later height', row(6, 0, 2)],
  ])('is replaced by that of %s', async (_, later) => {
    await open.store.consensusRecords.save(VALIDATOR, row(5, 3, 1));
    await open.store.consensusRecords.save(VALIDATOR, later);
    expect([...((await open.store.consensusRecords.find(VALIDATOR)) ?? [])]).toEqual([2]);
  });

  it.each([
    ['an earlier round', row(5, 2, 2)],
    ['a later round of an earlier height', row(4, 9, 2)],
  ])('is not replaced by that of %s', async (_, earlier) => {
    await open.store.consensusRecords.save(VALIDATOR, row(5, 3, 1));
    const saving = open.store.consensusRecords.save(VALIDATOR, earlier);
    await expect(saving).rejects.toThrow(LedgerStoreError);
    expect([...((await open.store.consensusRecords.find(VALIDATOR)) ?? [])]).toEqual([1]);
  });

  it('is kept over a restart, with rounds of all 32 bits', async () => {
    await open.store.consensusRecords.save(VALIDATOR, row(2 ** 40, 0xffffffff, 7, 8));
    await open.reopen();
    expect([...((await open.store.consensusRecords.find(VALIDATOR)) ?? [])]).toEqual([7, 8]);
  });
});
