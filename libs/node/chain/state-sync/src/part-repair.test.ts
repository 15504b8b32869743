import { describe, expect, it } from '@jest/globals';
import type { StateRepair } from '@tetrad/node-store';
import type { Hash } from '@tetrad/types';
import { PartRepair } from './part-repair.js';

const [OLDER, NEWER] = ['01', '02'].map((byte) => `0x${byte.repeat(32)}` as Hash) as [Hash, Hash];
const place = (value: number) => Buffer.alloc(32, value);

function repairOf(end: Uint8Array | undefined) {
  const stored: StateRepair[] = [];
  const stateSync = { repair: async (write: StateRepair) => void stored.push(write) };
  const part = { from: place(1), end, root: OLDER };
  return { stored, repair: new PartRepair({ store: { stateSync }, part, stateRoot: NEWER, rows: 2 }) };
}

describe('the repair of a part', () => {
  it('stores so many rows at once, each time from where it was', async () => {
    const { stored, repair } = repairOf(place(9));
    for (const value of [2, 3, 4]) {
      repair.remove(place(value));
      await repair.reach(place(value + 1));
    }
    repair.clear(place(5));
    await repair.end();
    expect(stored.map(({ from, end }) => [from, end])).toEqual([
      [place(1), place(4)],
      [place(4), undefined],
    ]);
    expect(stored.map(({ removed, cleared }) => [...removed, ...cleared])).toEqual([
      [place(2), place(3)],
      [place(4), place(5)],
    ]);
    expect(new Set(stored.map(({ root, repaired }) => `${root} ${repaired}`)).size).toBe(1);
  });

  it.each([
    ['where the next part begins', place(9), place(9)],
    ['where nothing can follow', undefined, undefined],
  ])('moves no border to %s: what follows is of its own state', async (_, end, reached) => {
    const { stored, repair } = repairOf(end);
    for (const value of [2, 3]) repair.put({ key: place(value), value: place(value) });
    await repair.reach(reached);
    expect(stored).toEqual([]);
    await repair.end();
    expect(stored).toMatchObject([{ from: place(1), end: undefined }]);
    expect(stored[0]?.flat).toHaveLength(2);
  });
});
