import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { prefixEnd } from './requests.js';

describe('the end of a prefix', () => {
  it.each([
    ['a', '62'],
    ['a\u007f', '6180'],
    [Buffer.from([0x61, 0xff]), '62'],
    [Buffer.from([0xff, 0xff]), '00'],
    ['', '00'],
  ])('%p is 0x%s', (prefix, end) => expect(prefixEnd(prefix).toString('hex')).toBe(end));

  it('is behind all keys that begin with it, and before all others behind it', () => {
    const bytes = fc.uint8Array({ maxLength: 4 });
    const notLast = bytes.filter((prefix) => prefix.some((byte) => byte !== 0xff));
    fc.assert(
      fc.property(notLast, bytes, bytes, (prefix, rest, other) => {
        const end = prefixEnd(prefix);
        expect(Buffer.compare(Buffer.concat([prefix, rest]), end)).toBe(-1);
        const isInRange = Buffer.compare(other, prefix) >= 0 && Buffer.compare(other, end) < 0;
        expect(isInRange).toBe(Buffer.from(other).subarray(0, prefix.length).equals(prefix));
      }),
    );
  });
});
