import { describe, expect, it } from '@jest/globals';
import { drawChart } from './chart.js';
import { holds, median, type BenchResult, type Comparison } from './result.js';
import { formatTable } from './table.js';

const fast: Comparison = {
  what: 'transfers',
  unit: 'tx/s',
  ours: 1234.5,
  peer: 2000,
  peerName: 'anvil',
  ratio: 0.61725,
  target: { bound: 0.3, side: 'atLeast' },
};
const fat: Comparison = {
  what: 'memory <at the end> & after',
  unit: 'MB',
  ours: 26,
  peer: 13,
  peerName: 'first tenth',
  ratio: 2,
  target: { bound: 1.3, side: 'atMost' },
};
const result: BenchResult = {
  name: 'ledger',
  comparisons: [fast, fat],
  figures: [{ what: 'blocks spent', value: 'execution 1.20 s' }],
};

describe('a comparison', () => {
  it.each([
    ['atLeast', 0.3, true],
    ['atLeast', 0.299, false],
    ['atLeast', 0.9, true],
    ['atMost', 0.3, true],
    ['atMost', 0.301, false],
    ['atMost', 0.1, true],
  ] as const)('with a ratio %s 0.3 of %d holds: %p', (side, ratio, held) => {
    expect(holds({ ...fast, ratio, target: { bound: 0.3, side } })).toBe(held);
  });

  it('that could not be measured does not hold', () => {
    expect(holds({ ...fast, ratio: NaN })).toBe(false);
    expect(holds({ ...fat, ratio: NaN })).toBe(false);
  });
});

describe('the median', () => {
  it('is the middle value, or half way between the two', () => {
    expect(median([10, 9, 100])).toBe(10);
    expect(median([4, 1, 100, 2])).toBe(3);
    expect(median([7])).toBe(7);
  });

  it('leaves the values in their order', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe('the table', () => {
  it('has a line for each comparison with its verdict, in columns, and the figures below', () => {
    expect(formatTable(result).split('\n')).toEqual([
      'bench ledger',
      '                               ours       peer       peer is      ratio  target',
      '  transfers                    1235 tx/s  2000 tx/s  anvil        0.617  ≥ 0.3   holds',
      '  memory <at the end> & after  26.0 MB    13.0 MB    first tenth  2.000  ≤ 1.3   MISSED',
      '  blocks spent: execution 1.20 s',
    ]);
  });
});

describe('the chart', () => {
  const bars = [...drawChart(result).matchAll(/<rect x="260"[^>]*width="([\d.]+)"[^>]*fill="(#\w+)"/g)];
  const marks = [...drawChart(result).matchAll(/<line x1="([\d.]+)"/g)].map(([, x]) => Number(x) - 260);

  it('draws bars and target marks to one scale, and marks missed targets by colour', () => {
    const [first, second] = bars.map(([, width]) => Number(width));
    expect((second as number) / (first as number)).toBeCloseTo(2 / 0.61725, 1);
    expect((marks[1] as number) / (marks[0] as number)).toBeCloseTo(1.3 / 0.3, 1);
    expect((marks[1] as number) / (second as number)).toBeCloseTo(1.3 / 2, 2);
    expect(bars[0]?.[2]).not.toBe(bars[1]?.[2]);
  });

  it('stays inside its picture', () => {
    const [, width] = /<svg [^>]*width="(\d+)"/.exec(drawChart(result)) ?? [];
    for (const [, bar] of bars) expect(260 + Number(bar)).toBeLessThan(Number(width));
  });

  it('has no markup from the names in it', () => {
    expect(drawChart(result)).toContain('memory &#60;at the end&#62; &#38; after');
  });
});
