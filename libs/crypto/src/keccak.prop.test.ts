import { describe, expect, it } from '@jest/globals';
import { sha3_512 as nobleSha3 } from '@noble/hashes/sha3.js';
import { hexFromBytes } from '@tetrad/types';
import { keccak256 as ethersKeccak } from 'ethers';
import fc from 'fast-check';
import { keccak256, keccakHash, keccakInto, keccakView } from './keccak.js';
import { sha3_512, sha3_512After } from './sha3.js';

// The sponge absorbs 136 bytes at a time: lengths around its multiples are where padding goes wrong.
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 600 }),
  fc
    .constantFrom(135, 136, 137, 271, 272, 273)
    .chain((length) => fc.uint8Array({ minLength: length, maxLength: length })),
);

describe('keccak256', () => {
  it('agrees with ethers on any bytes', () => {
    fc.assert(
      fc.property(bytes, (message) => {
        expect(hexFromBytes(keccak256(message))).toBe(ethersKeccak(message));
        expect(keccakHash(message)).toBe(ethersKeccak(message));
      }),
    );
  });

  it('hashes a view into a larger buffer as the bytes of the view alone', () => {
    fc.assert(
      fc.property(bytes, fc.nat(40), (message, offset) => {
        const buffer = new Uint8Array(message.length + 80).fill(0xee);
        buffer.set(message, offset);
        const view = buffer.subarray(offset, offset + message.length);
        expect(keccak256(view)).toEqual(keccak256(message));
      }),
    );
  });

  it('agrees with ethers on messages that do not fit into its memory at once', () => {
    const part = 7_000 * 136;
    for (const size of [part - 1, part, part + 1, part + 136, 2 * part, 2 * part + 77]) {
      const message = Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251);
      expect(hexFromBytes(keccak256(message))).toBe(ethersKeccak(message));
    }
  });

  it('shows the digest where it is until the next hash', () => {
    fc.assert(
      fc.property(bytes, (message) => {
        const { buffer, byteOffset, byteLength } = keccakView(message);
        expect(hexFromBytes(new Uint8Array(buffer, byteOffset, byteLength))).toBe(ethersKeccak(message));
      }),
    );
  });

  it('writes the digest where it is wanted, over the bytes too', () => {
    fc.assert(
      fc.property(bytes, fc.nat(40), (message, at) => {
        const memory = new Uint8Array(message.length + 80);
        memory.set(message, 8);
        const expected = memory.slice();
        expected.set(Buffer.from(ethersKeccak(message).slice(2), 'hex'), at);
        keccakInto(memory.subarray(8, 8 + message.length), memory, at);
        expect(Buffer.compare(memory, expected)).toBe(0);
      }),
    );
  });

  it('gives each caller bytes of its own', () => {
    fc.assert(
      fc.property(bytes, bytes, (first, second) => {
        const digest = keccak256(first);
        const before = hexFromBytes(digest);
        keccak256(second).fill(0);
        expect(hexFromBytes(digest)).toBe(before);
      }),
    );
  });
});

describe('sha3_512', () => {
  it('agrees with another implementation on any bytes', () => {
    fc.assert(
      fc.property(bytes, (message) => {
        expect(hexFromBytes(sha3_512(message))).toBe(hexFromBytes(nobleSha3(message)));
      }),
    );
  });

  it('of messages that begin alike is that of each', () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.array(bytes)), (beginning, rests) => {
        const hashRest = sha3_512After(beginning);
        for (const rest of rests)
          expect(hexFromBytes(hashRest(...rest))).toBe(
            hexFromBytes(sha3_512(Buffer.concat([beginning, ...rest]))),
          );
      }),
    );
  });
});
