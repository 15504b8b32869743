import { describe, expect, it } from '@jest/globals';
import { shouldSeal } from './seal-rule.js';

const open = { operations: 1, size: 2, openedAt: 1_000 };
const idle = { intervalMs: 1_000, waiting: 0 };

describe('a batch', () => {
  it('is closed when it is full, or has held something for the interval', () => {
    expect(shouldSeal(open, 1_999, idle)).toBe(false);
    expect(shouldSeal(open, 2_000, idle)).toBe(true);
    expect(shouldSeal({ ...open, operations: 2 }, 1_000, idle)).toBe(true);
  });

  it('is closed only when it is full while others wait for a prover', () => {
    const behind = { ...idle, waiting: 1 };
    expect(shouldSeal(open, 10 ** 9, behind)).toBe(false);
    expect(shouldSeal({ ...open, operations: 2 }, 1_000, behind)).toBe(true);
  });

  it('is not closed empty, however long it is open', () => {
    expect(shouldSeal({ ...open, operations: 0 }, 10 ** 9, idle)).toBe(false);
    expect(shouldSeal(undefined, 10 ** 9, { ...idle, intervalMs: 0 })).toBe(false);
  });
});
