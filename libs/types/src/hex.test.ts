import { describe, expect, it } from '@jest/globals';
import { addressToBytes, type Address } from './address.js';
import { hashToBytes, type Hash } from './hash.js';
import { bytesFromHex, bytesFromScalar, hexFromBytes, isHex, scalarFromBytes } from './hex.js';

describe('hex text', () => {
  it('round-trips bytes, also of a view into a larger buffer', () => {
    const view = new Uint8Array([9, 0, 255, 16, 9]).subarray(1, 4);
    expect(hexFromBytes(view)).toBe('0x00ff10');
    expect([...bytesFromHex('0x00FF10')]).toEqual([0, 255, 16]);
  });

  it.each(['', '00', '0x0', '0xzz', '0x00 '])('refuses %j', (text) => {
    expect(isHex(text)).toBe(false);
    expect(() => bytesFromHex(text)).toThrow(TypeError);
  });
});

describe('scalars', () => {
  it.each([
    [0n, '0x'],
    [1n, '0x01'],
    [255n, '0xff'],
    [256n, '0x0100'],
    [2n ** 48n - 1n, '0xffffffffffff'],
    [2n ** 48n, '0x01000000000000'],
    [2n ** 255n, `0x80${'00'.repeat(31)}`],
  ])('writes %s without leading zeros', (value, hex) => {
    expect(hexFromBytes(bytesFromScalar(value))).toBe(hex);
    expect(scalarFromBytes(bytesFromHex(hex))).toBe(value);
  });
});

describe('the bytes of hashes and addresses', () => {
  it.each(['0x', `0x${'0g'.repeat(32)}`, `0x${'00'.repeat(31)}`, `0x${'00'.repeat(33)}`])(
    'are not those of %s',
    (text) => {
      expect(() => hashToBytes(text as Hash)).toThrow(TypeError);
      expect(() => addressToBytes(text as Address)).toThrow(TypeError);
    },
  );
});
