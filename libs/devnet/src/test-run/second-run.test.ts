import { describe, expect, it } from '@jest/globals';
import { parseTestReport, type TestReport } from './report.js';
import { filesToRunAgain, flakyFiles, withSecondRun } from './second-run.js';

/** A report of files whose tests ended like this; an empty list is a file that could not be loaded. */
function reportOf(files: Readonly<Record<string, readonly ('passed' | 'failed' | 'pending')[]>>): TestReport {
  const testResults = Object.entries(files).map(([name, statuses]) => {
    const fails = statuses.length === 0 || statuses.includes('failed');
    return {
      name,
      status: fails ? 'failed' : 'passed',
      message: fails ? `${name} failed` : '',
      startTime: 0,
      endTime: 0,
      assertionResults: statuses.map((status) => ({ status, fullName: 'a test' })),
    };
  });
  const counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  return parseTestReport(
    JSON.stringify({ success: false, ...counts, numRuntimeErrorTestSuites: 0, testResults }),
  );
}

const first = reportOf({ a: ['passed', 'pending'], b: ['passed', 'failed'], c: [] });

describe('the second run', () => {
  it('is of one or two files that failed', () => {
    expect(filesToRunAgain(first)).toEqual(['b', 'c']);
    expect(filesToRunAgain(reportOf({ a: ['passed'] }))).toEqual([]);
  });

  it('does not run three files: so many do not fail by chance', () => {
    expect(filesToRunAgain(reportOf({ a: [], b: ['failed'], c: [], d: ['passed'] }))).toEqual([]);
  });

  it('says what counts of its files, and the first run of the others', () => {
    const report = withSecondRun(first, reportOf({ b: ['passed', 'passed'], c: ['passed', 'failed'] }));
    expect(report).toMatchObject({ numPassedTests: 4, numFailedTests: 1, numPendingTests: 1 });
    expect(withSecondRun(first, reportOf({ b: ['passed'], c: [] }))).toMatchObject({
      numFailedTests: 0,
      numRuntimeErrorTestSuites: 1,
    });
  });

  it('keeps what the first run said of its files', () => {
    const report = withSecondRun(first, reportOf({ b: ['passed', 'passed'] }));
    expect(report).toMatchObject({ firstResults: [{ name: 'b', message: 'b failed' }] });
  });

  it('names what is flaky, with what was said of it at first', () => {
    const second = reportOf({ b: ['passed', 'passed'], c: ['failed'] });
    expect(flakyFiles(first, second).map(({ name, message }) => [name, message])).toEqual([
      ['b', 'b failed'],
    ]);
  });
});
