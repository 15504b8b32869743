import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../usage-error.js';
import { deadlineOf, parseTestOptions } from './test-options.js';

describe('the options of ./tetrad test', () => {
  it('keep what is ours from Jest and hand on the rest', () => {
    expect(parseTestOptions(['--second-run', '--within=5', 'libs/rpc', '--changed=main'])).toEqual({
      withinMinutes: 5,
      recordsDurations: false,
      runsFailedAgain: true,
      changedSince: 'main',
      jestArguments: ['libs/rpc'],
    });
  });

  it('take --changed for the changes that are not committed, and no option for a revision', () => {
    expect(parseTestOptions(['--changed']).changedSince).toBe('HEAD');
    expect(parseTestOptions([]).changedSince).toBeUndefined();
    expect(() => parseTestOptions(['--changed='])).toThrow(UsageError);
    expect(() => parseTestOptions(['--changed=--output=x'])).toThrow(UsageError);
  });

  it('start every file unless a time is given', () => {
    expect(deadlineOf(parseTestOptions([]), 1_000)).toBeUndefined();
    expect(deadlineOf(parseTestOptions(['--within=2.5']), 1_000)).toBe(151_000);
  });

  it.each(['--within=', '--within=0', '--within=-1', '--within=1e3', '--within=soon'])(
    'refuse %s',
    (option) => {
      expect(() => parseTestOptions([option])).toThrow(UsageError);
    },
  );
});
