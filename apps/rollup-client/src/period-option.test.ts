import { describe, expect, it } from '@jest/globals';
import { periodOption } from './period-option.js';

describe('an end of a period', () => {
  it('is a batch or a day, of which the last is whole', () => {
    expect(periodOption('first').parse('17')).toEqual({ height: 17 });
    const day = Date.UTC(2026, 1, 28) / 1000;
    expect(periodOption('first').parse('2026-02-28')).toEqual({ time: day });
    expect(periodOption('last').parse('2026-02-28')).toEqual({ time: day + 86_400 });
  });

  it.each([
    '',
    '0',
    '-1',
    '1.5',
    '4294967296',
    '2026-02-30',
    '2026-13-01',
    '26-02-01',
    '2026-02-28T00:00',
    'x',
  ])('is not %p', (text) => {
    expect(() => periodOption('first').parse(text)).toThrow('must be the height of a batch, or a day');
  });
});
