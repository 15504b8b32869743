import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../paths.js';
import { failedLines } from './failed-lines.js';
import { parseTestReport, type TestReport } from './report.js';

interface FailedFile {
  readonly tests: readonly string[];
  readonly message?: string;
}

/** A report in which these tests failed, and one passed in each file; a file without tests could not be loaded. */
function reportOf(files: Readonly<Record<string, FailedFile>>): TestReport {
  const testResults = Object.entries(files).map(([file, { tests, message = 'not shown' }]) => ({
    name: join(ROOT, file),
    status: 'failed',
    message,
    startTime: 0,
    endTime: 0,
    assertionResults:
      tests.length === 0
        ? []
        : [
            { status: 'passed', fullName: 'passes' },
            ...tests.map((fullName) => ({ status: 'failed', fullName })),
          ],
  }));
  const counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  return parseTestReport(
    JSON.stringify({ success: false, ...counts, numRuntimeErrorTestSuites: 0, testResults }),
  );
}

const named = (count: number) => Array.from({ length: count }, (_, index) => `test ${index}`);

describe('the failures that a run names at its end', () => {
  it('are the failed tests of each file', () => {
    const report = reportOf({ 'a/one.test.ts': { tests: ['x', 'y\n  z'] }, 'two.test.ts': { tests: ['x'] } });
    expect(failedLines(report)).toEqual([
      'FAILED a/one.test.ts: x',
      'FAILED a/one.test.ts: y z',
      'FAILED two.test.ts: x',
    ]);
  });

  it('are the files that could not be loaded, with the reason', () => {
    const message =
      '\u001b[1m  ● \u001b[22mTest suite failed to run\n\n    Cannot find module x\n      at y\n';
    expect(failedLines(reportOf({ 'one.test.ts': { tests: [], message } }))).toEqual([
      'FAILED one.test.ts: Cannot find module x',
    ]);
    expect(failedLines(reportOf({ 'one.test.ts': { tests: [], message: '' } }))).toEqual([
      'FAILED one.test.ts: failed without a message',
    ]);
  });

  it('are none of a run without a failure', () => {
    const [file] = reportOf({ 'one.test.ts': { tests: [] } }).testResults;
    const report = { ...reportOf({}), testResults: [{ ...file!, status: 'passed' }] };
    expect(failedLines(report)).toEqual([]);
  });

  it('are a line for each file where the tests are more than 60', () => {
    const report = reportOf({ 'one.test.ts': { tests: named(60) }, 'two.test.ts': { tests: ['x'] } });
    expect(failedLines(report)).toEqual([
      'FAILED one.test.ts: 60 tests, first: test 0',
      'FAILED two.test.ts: x',
    ]);
    expect(failedLines(reportOf({ 'one.test.ts': { tests: named(60) } }))).toHaveLength(60);
  });

  it('are 60 lines at most, the last of which counts the others', () => {
    const files = Object.fromEntries(named(100).map((name) => [`${name}.test.ts`, { tests: ['x'] }]));
    const lines = failedLines(reportOf(files));
    expect(lines).toHaveLength(60);
    expect(lines.at(-1)).toBe('FAILED 41 more files');
  });
});
