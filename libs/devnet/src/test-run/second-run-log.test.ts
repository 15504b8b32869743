import { describe, expect, it } from '@jest/globals';
import { readSecondRuns, tooManySecondRuns } from './second-run-log.js';

const on = (date: string, mended?: string) => ({
  date,
  file: `${date}.test.ts`,
  ...(mended !== undefined && { mended }),
});

describe('the log of second runs', () => {
  it('names a defect when three were needed within 30 days', () => {
    const log = [on('2026-10-30'), on('2026-11-05'), on('2026-11-28')];
    expect(tooManySecondRuns(log)).toEqual(log);
  });

  it('accepts two, and three over a longer time', () => {
    expect(tooManySecondRuns([])).toEqual([]);
    expect(tooManySecondRuns([on('2026-11-05'), on('2026-11-28')])).toEqual([]);
    expect(tooManySecondRuns([on('2026-10-29'), on('2026-11-05'), on('2026-11-28')])).toEqual([]);
  });

  it('does not count what is mended', () => {
    expect(tooManySecondRuns([on('2026-11-05'), on('2026-11-06', 'a fixed port'), on('2026-11-07')])).toEqual(
      [],
    );
  });

  it('has no defect open in this repository', async () => {
    expect(tooManySecondRuns(await readSecondRuns())).toEqual([]);
  });
});
