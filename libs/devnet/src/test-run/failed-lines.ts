import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../paths.js';
import type { TestReport } from './report.js';

const MAXIMUM_LINES = 60;
const MAXIMUM_LENGTH = 240;

/** What Jest writes above the reason why a file could not be loaded. */
const HEADING = /^● Test suite failed to run$/;

type FileReport = TestReport['testResults'][number];

/**
 * What a reader of the end of a log needs to know: each failed test, and each file that failed without one, in a line.
 * When these are more than 60 lines, one line for each file; what is beyond 60 is counted.
 */
export function failedLines({ testResults }: TestReport): readonly string[] {
  const failed = testResults.filter(({ status }) => status === 'failed');
  const lines = failed.flatMap(linesOf);
  return lines.length <= MAXIMUM_LINES ? lines : shortened(failed.map(lineOf));
}

function linesOf(file: FileReport): string[] {
  const tests = failedTests(file);
  return tests.length === 0 ? [lineOf(file)] : tests.map((name) => line(file, name));
}

function lineOf(file: FileReport): string {
  const [first, ...others] = failedTests(file);
  if (first === undefined) return line(file, reasonOf(file));
  return others.length === 0 ? line(file, first) : line(file, `${others.length + 1} tests, first: ${first}`);
}

const failedTests = ({ assertionResults }: FileReport): string[] =>
  assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);

const line = ({ name }: FileReport, what: string): string =>
  `FAILED ${relative(ROOT, name)}: ${what.replace(/\s+/g, ' ')}`.slice(0, MAXIMUM_LENGTH);

function reasonOf({ message }: FileReport): string {
  const lines = stripVTControlCharacters(message).split('\n');
  const reason = lines.map((text) => text.trim()).find((text) => text !== '' && !HEADING.test(text));
  return reason ?? 'failed without a message';
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAXIMUM_LINES) return lines;
  const shown = lines.slice(0, MAXIMUM_LINES - 1);
  return [...shown, `FAILED ${lines.length - shown.length} more files`];
}
