import { describe, expect, it } from '@jest/globals';
import { historyOption, lowestWanted } from './history-option.js';

const { parse } = historyOption();

describe('--history', () => {
  it('is none, all, or a number of blocks', () => {
    expect(['none', 'all', '1', '1000000000000'].map(parse)).toEqual(['none', 'all', 1, 1_000_000_000_000]);
    for (const text of ['', '0', '-1', '1.5', '0x10', 'ALL', '1000000000001', '99999999999999'])
      expect(() => parse(text)).toThrow('must be none, all, or a number of blocks from 1 to 1000000000000');
  });

  it('names the lowest block before the one that was joined at', () => {
    expect(lowestWanted('all', 50)).toBe(1);
    expect(lowestWanted(10, 50)).toBe(41);
    expect(lowestWanted(60, 50)).toBe(1);
    expect(lowestWanted('none', 50)).toBeUndefined();
    expect(lowestWanted('all', undefined)).toBeUndefined();
  });
});
