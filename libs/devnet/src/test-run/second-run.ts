import type { TestReport } from './report.js';

/** When more files fail, the change is at fault and not the host. */
const MAX_FILES = 2;

type FileReport = TestReport['testResults'][number];

/** Absolute paths of the files to run again by themselves: those that failed, unless they are many. */
export function filesToRunAgain(report: TestReport): readonly string[] {
  const failed = report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  return failed.length <= MAX_FILES ? failed : [];
}

/** The report of both runs: for files of the second run, its results; those of the first are in `firstResults`. */
export function withSecondRun(first: TestReport, second: TestReport): TestReport {
  const again = new Map(second.testResults.map((file) => [file.name, file]));
  const testResults = first.testResults.map((file) => again.get(file.name) ?? file);
  return {
    ...first,
    testResults,
    firstResults: first.testResults.filter(({ name }) => again.has(name)),
    numPassedTests: countOf(testResults, 'passed'),
    numFailedTests: countOf(testResults, 'failed'),
    numPendingTests: countOf(testResults, 'pending'),
    numTodoTests: countOf(testResults, 'todo'),
    numRuntimeErrorTestSuites: testResults.filter(isBroken).length,
  };
}

/** Files that failed at first and passed when run alone, with the message of the failure. */
export function flakyFiles(first: TestReport, second: TestReport): readonly FileReport[] {
  const passed = new Set(
    second.testResults.filter(({ status }) => status === 'passed').map(({ name }) => name),
  );
  return first.testResults.filter(({ name, status }) => status === 'failed' && passed.has(name));
}

function countOf(files: readonly FileReport[], status: string): number {
  return files.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status)
    .length;
}

/** A file that failed without a test that did: it could not be loaded, or its process ended. */
function isBroken({ status, assertionResults }: FileReport): boolean {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
}
