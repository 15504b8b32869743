import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeHex, encodeHex } from './byte-text.js';
import * as web from './web-byte-text.js';

describe('hex of browsers', () => {
  it('is that of Node.js, of a part of a buffer as well', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 20 }), (bytes, from) => {
        const part = bytes.subarray(from);
        const digits = web.encodeHex(part);
        expect(digits).toBe(encodeHex(part));
        expect(web.decodeHex(digits.toUpperCase())).toEqual(new Uint8Array(decodeHex(digits)));
      }),
    );
  });

  it.each(['', 'f', 'fg', '00zz11', '0011a', 'ABcd'])('ends where that of Node.js does: %j', (digits) => {
    expect(web.decodeHex(digits)).toEqual(new Uint8Array(decodeHex(digits)));
  });
});
