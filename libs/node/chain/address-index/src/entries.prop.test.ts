import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeEntries, encodeEntry, type Entry } from './entries.js';
import { numberOfPlace, placeOfNumber } from './place.js';

const place = fc.record({ blockNumber: fc.nat({ max: 2 ** 33 - 1 }), index: fc.nat({ max: 2 ** 20 - 1 }) });
const entry = fc.record({ place: place.map(numberOfPlace), roles: fc.nat({ max: 31 }) });

describe('a place', () => {
  it('is one number, in the order of the chain', () => {
    fc.assert(
      fc.property(place, place, (one, other) => {
        expect(placeOfNumber(numberOfPlace(one))).toEqual(one);
        const isBefore =
          one.blockNumber < other.blockNumber ||
          (one.blockNumber === other.blockNumber && one.index < other.index);
        expect(numberOfPlace(one) < numberOfPlace(other)).toBe(isBefore);
      }),
    );
  });
});

describe('the entries of a row', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(entry, { minLength: 1, selector: (one) => one.place }), (unsorted) => {
        const entries = unsorted.sort((one, other) => one.place - other.place);
        const first = entries[0] as Entry;
        let last = first.place;
        const bytes = entries.map((one) => {
          const encoded = encodeEntry(one, last);
          last = one.place;
          return encoded;
        });
        expect(decodeEntries(first.place, Buffer.concat(bytes))).toEqual(entries);
      }),
    );
  });

  it('that end within one are refused', () => {
    const bytes = encodeEntry({ place: numberOfPlace({ blockNumber: 9, index: 900 }), roles: 3 }, 0);
    expect(() => decodeEntries(0, bytes.subarray(0, -1))).toThrow('ends within an entry');
  });
});
