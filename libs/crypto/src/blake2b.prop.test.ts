import { describe, expect, it } from '@jest/globals';
import { blake2b as nobleBlake } from '@noble/hashes/blake2.js';
import { hexFromBytes } from '@tetrad/types';
import fc from 'fast-check';
import { blake2b160, blake2b256, blake2b32 } from './blake2b.js';

// A block has 128 bytes: lengths around its multiples are where padding goes wrong.
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 600 }),
  fc
    .constantFrom(127, 128, 129, 255, 256, 257)
    .chain((length) => fc.uint8Array({ minLength: length, maxLength: length })),
);

describe('BLAKE2b', () => {
  it.each([
    [4, blake2b32],
    [20, blake2b160],
    [32, blake2b256],
  ])('of %i bytes agrees with another implementation on any bytes', (size, hash) => {
    fc.assert(
      fc.property(bytes, (message) => {
        expect(hexFromBytes(hash(message))).toBe(hexFromBytes(nobleBlake(message, { dkLen: size })));
      }),
    );
  });

  it('gives each caller bytes of its own', () => {
    const digest = blake2b256(Uint8Array.of(1));
    const before = hexFromBytes(digest);
    blake2b256(Uint8Array.of(2)).fill(0);
    expect(hexFromBytes(digest)).toBe(before);
  });
});
