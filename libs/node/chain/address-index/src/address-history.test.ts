import { describe, expect, it } from '@jest/globals';
import type { AddressIndexStore, AddressRow } from '@tetrad/node-store';
import { parseAddress } from '@tetrad/types';
import { AddressHistory } from './address-history.js';
import { ROLE, encodeEntry } from './entries.js';
import { numberOfPlace } from './place.js';

const address = parseAddress(`0x${'11'.repeat(20)}`);
const goOn = () => undefined;

/** Rows of each list, one transaction in each, down to block 1. */
const BLOCKS = 500;

/** What reads rows, and how many it has read. */
function historyOf() {
  const counted = { rows: 0 };
  const listBefore = async (list: Pick<AddressRow, 'scope' | 'key'>, place: number, most: number) => {
    const rows: AddressRow[] = [];
    for (let blockNumber = BLOCKS; blockNumber > 0 && rows.length < most; blockNumber -= 1) {
      const first = numberOfPlace({ blockNumber, index: 0 });
      if (first >= place) continue;
      const entries = encodeEntry({ place: first, roles: ROLE.called }, first);
      rows.push({ ...list, first, sentBefore: 0, roles: ROLE.called, entries });
    }
    counted.rows += rows.length;
    return rows;
  };
  const store = { listBefore } as unknown as AddressIndexStore;
  return { counted, history: new AddressHistory(store, () => new Uint8Array(16)) };
}

/** Throws the second time. */
function once() {
  let asked = 0;
  return () => {
    asked += 1;
    if (asked > 1) throw new Error('it is over');
  };
}

describe('a search of the index by address', () => {
  const range = { from: 1, to: BLOCKS, most: BLOCKS };

  it('reads an address once, however often it is named', async () => {
    const [alone, repeated] = [historyOf(), historyOf()];
    const found = await alone.history.blocksOf([address], { ...range, assertGoesOn: goOn });
    const all = Array.from({ length: 1_000 }, () => address);
    expect(await repeated.history.blocksOf(all, { ...range, assertGoesOn: goOn })).toEqual(found);
    expect(found).toHaveLength(BLOCKS);
    expect(repeated.counted.rows).toBe(alone.counted.rows);
  });

  it('ends when it is to end', async () => {
    const { history, counted } = historyOf();
    await expect(history.blocksOf([address], { ...range, assertGoesOn: once() })).rejects.toThrow('is over');
    await expect(history.findCreation(address, once())).rejects.toThrow('is over');
    expect(counted.rows).toBeLessThan(10);
    expect(await history.findCreation(address, goOn)).toBeUndefined();
  });
});
