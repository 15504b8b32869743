import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import type { KeyEntry, KeySource } from './key-entry.js';
import { identityOf } from './key-table.js';
import { PendingKeys } from './pending-keys.js';

const source = { id: 'folder' } as KeySource;
const address = (digit: number) => parseAddress(`0x${String(digit).repeat(40)}`);
const entry = (digit: number, stated = true) =>
  [
    source,
    {
      name: `file ${digit}`,
      open: () => undefined,
      ...(stated ? { address: address(digit) } : {}),
    } as unknown as KeyEntry,
  ] as const;
const any = () => true;
const nothing = () => false;
const identity = (digit: number) => identityOf(source, `file ${digit}`);

describe('keys that are being loaded', () => {
  it('are taken in order, those with waiting requests first', () => {
    const pending = new PendingKeys([1, 2, 3, 4, 5].map((digit) => entry(digit)));
    const taken = () => pending.take(any)?.[1].name;
    expect(taken()).toBe('file 1');
    void pending.whenDecided(address(4));
    void pending.whenDecided(address(1));
    expect([taken(), taken(), taken(), taken(), taken()]).toEqual([
      'file 4',
      'file 2',
      'file 3',
      'file 5',
      undefined,
    ]);
  });

  it('are waited for until they are there, or cannot come any more', async () => {
    const pending = new PendingKeys([entry(1), entry(2), entry(3, false)]);
    const decided: number[] = [];
    const waits = [1, 2, 4].map((digit) =>
      pending.whenDecided(address(digit))?.then(() => decided.push(digit)),
    );
    expect(pending.mayHold(address(4))).toBe(true);
    pending.settle(identity(1), (one) => one === address(1));
    await waits[0];
    expect(decided).toEqual([1]);
    pending.settle(identity(3), nothing);
    await waits[2];
    expect(decided).toEqual([1, 4]);
    expect([pending.mayHold(address(4)), pending.mayHold(address(2))]).toEqual([false, true]);
    pending.end();
    await waits[1];
    expect(pending.mayHold(address(2))).toBe(false);
  });
});
