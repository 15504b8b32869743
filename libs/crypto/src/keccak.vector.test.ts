import { describe, expect, it } from '@jest/globals';
import { hexFromBytes } from '@tetrad/types';
import { EMPTY_KECCAK, keccak256, keccakHash } from './keccak.js';
import { sha3_512 } from './sha3.js';

const text = (value: string) => new TextEncoder().encode(value);

describe('keccak256', () => {
  it.each([
    ['', '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ])('hashes %j as published', (message, digest) => {
    expect(hexFromBytes(keccak256(text(message)))).toBe(digest);
    expect(keccakHash(text(message))).toBe(digest);
  });

  it('gives the selector of an ERC-20 transfer', () => {
    expect(hexFromBytes(keccak256(text('transfer(address,uint256)')).subarray(0, 4))).toBe('0xa9059cbb');
  });

  it('returns bytes that a later call does not overwrite', () => {
    const first = keccak256(text('abc'));
    const copy = Uint8Array.from(first);
    keccak256(text('something else'));
    expect(first).toEqual(copy);
  });

  it('names the hash of no code', () => {
    expect(EMPTY_KECCAK).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
  });
});

describe('sha3_512', () => {
  it.each([
    [
      '',
      '0xa69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26',
    ],
    [
      'abc',
      '0xb751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0',
    ],
  ])('hashes %j as FIPS 202 shows', (message, digest) => {
    expect(hexFromBytes(sha3_512(text(message)))).toBe(digest);
  });
});
