import { expect, it } from '@jest/globals';
import ProgressReporter from '../jest/progress-reporter.mjs';

const NONE = {
  numTotalTestSuites: 3,
  numPassedTestSuites: 0,
  numFailedTestSuites: 0,
  numPendingTestSuites: 0,
};

it('says how many files a run has, how many are over, and which are running for how long', () => {
  const lines: string[] = [];
  let now = 0;
  const options = { now: () => now, write: (line: string) => void lines.push(line) };
  const reporter = new ProgressReporter({ rootDir: '/root', maxWorkers: 2 }, options);
  reporter.onRunStart(NONE);
  reporter.onTestFileStart({ path: '/root/a/one.test.ts' });
  now = 20_000;
  reporter.onTestFileStart({ path: '/root/two.test.ts' });
  now = 60_000;
  reporter.say();
  reporter.onTestFileResult({ path: '/root/a/one.test.ts' }, undefined, { ...NONE, numFailedTestSuites: 1 });
  now = 120_000;
  reporter.say();
  reporter.onRunComplete();
  expect(lines).toEqual([
    'test: 3 files, 2 at a time',
    'test: after 1 min 0 of 3 files; running: a/one.test.ts (60 s), two.test.ts (40 s)',
    'test: after 2 min 1 of 3 files, 1 failed; running: two.test.ts (100 s)',
  ]);
});

it('says nothing of a run of one file', () => {
  const lines: string[] = [];
  const options = { write: (line: string) => void lines.push(line) };
  const reporter = new ProgressReporter({ rootDir: '/root', maxWorkers: 2 }, options);
  reporter.onRunStart({ ...NONE, numTotalTestSuites: 1 });
  reporter.onRunComplete();
  expect(lines).toEqual([]);
});
