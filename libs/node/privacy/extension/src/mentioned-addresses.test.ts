import { describe, expect, it } from '@jest/globals';
import { bytesFromHex } from '@tetrad/types';
import { addressesInCode, addressesInWord } from './mentioned-addresses.js';

const DIGITS = '1932c48b2bf8102ba33b4a6b545c32236e342f34';
const ADDRESS = `0x${DIGITS}`;

const inWord = (digits: string) => [...addressesInWord(bytesFromHex(`0x${digits}`))];
const inCode = (digits: string) => [...addressesInCode(bytesFromHex(`0x${digits}`))];

describe('addressesInWord', () => {
  it('finds an address that stands alone, and nothing else beside it', () => {
    expect(inWord(DIGITS)).toEqual([ADDRESS, `0x00${DIGITS.slice(0, -2)}`]);
    const short = '0f'.repeat(18);
    expect(inWord(short)).toEqual([`0x0000${short}`]);
  });

  it('finds an address that is packed with smaller values on either side', () => {
    expect(inWord(`01${DIGITS}`)).toContain(ADDRESS);
    expect(inWord(`${DIGITS}0000000000000007`)).toContain(ADDRESS);
    expect(inWord(`${'ab'.repeat(4)}${DIGITS}${'cd'.repeat(8)}`)).toContain(ADDRESS);
  });

  it('takes no small number for one', () => {
    expect(inWord('')).toEqual([]);
    expect(inWord('ff'.repeat(15))).toEqual([]);
  });
});

describe('addressesInCode', () => {
  it('finds literals and immutables', () => {
    expect(inCode(`6001${`73${DIGITS}`}00`)).toEqual([ADDRESS]);
    expect(inCode(`7f${'00'.repeat(12)}${DIGITS}50`)).toEqual([ADDRESS]);
  });

  it('does not read operands as instructions, nor beyond the end', () => {
    expect(inCode(`7273${DIGITS.slice(0, 36)}00`)).toEqual([]);
    expect(inCode(`73${DIGITS.slice(2)}`)).toEqual([]);
  });
});
