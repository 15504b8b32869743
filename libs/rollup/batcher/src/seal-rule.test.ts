import { describe, expect, it } from '@jest/globals';
import { shouldSeal } from './seal-rule.js';

const open = { operations: 1, size: 2, openedAt: 1_000 };

describe('a batch', () => {
  it('is closed when it is full, or has held something for the interval', () => {
    expect(shouldSeal(open, 1_999, 1_000)).toBe(false);
    expect(shouldSeal(open, 2_000, 1_000)).toBe(true);
    expect(shouldSeal({ ...open, operations: 2 }, 1_000, 1_000)).toBe(true);
  });

  it('is not closed empty, however long it is open', () => {
    expect(shouldSeal({ ...open, operations: 0 }, 10 ** 9, 1_000)).toBe(false);
    expect(shouldSeal(undefined, 10 ** 9, 0)).toBe(false);
  });
});
