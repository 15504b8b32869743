import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parsePtmKey, type PtmKey } from '@tetrad/types';
import { pairName, pairsOf } from './payload-parties.js';

const keyOf = (byte: number): PtmKey => parsePtmKey(Buffer.alloc(32, byte).toString('base64'));

/** Keys of managers, a payload's sender and recipients, and whether all know all. */
const payloads = fc.record({
  /** Manager of each key. */
  managers: fc.array(fc.nat(2), { minLength: 2, maxLength: 6 }),
  sender: fc.nat(5),
  recipients: fc.uniqueArray(fc.nat(5), { maxLength: 6 }),
  areKnownToAll: fc.boolean(),
});

describe('pairs of parties', () => {
  it('are the same at both ends, whichever managers have the keys', () => {
    fc.assert(
      fc.property(payloads, ({ managers, sender, recipients, areKnownToAll }) => {
        fc.pre(sender < managers.length && recipients.every((index) => index < managers.length));
        const parties = [...new Set([sender, ...recipients])];
        const pairs = [0, 1, 2].flatMap((manager) => {
          const own = parties.filter((index) => managers[index] === manager).map(keyOf);
          const isSender = managers[sender] === manager;
          // A recipient's manager has its own keys alone, unless all are known to all.
          const all = isSender || areKnownToAll ? parties.map(keyOf) : own;
          return own.length === 0 ? [] : pairsOf({ sender: keyOf(sender), own, all, areKnownToAll });
        });
        const names = new Set(pairs.map(pairName));
        for (const { own, other } of pairs)
          expect(names.has(pairName({ own: other, other: own }))).toBe(true);
        expect(names.size).toBe(pairs.length);
      }),
    );
  });

  it('are none where the sender is not known', () => {
    const known = { sender: undefined, own: [keyOf(1)], all: [keyOf(1)], areKnownToAll: false };
    expect(pairsOf(known)).toEqual([]);
  });
});
