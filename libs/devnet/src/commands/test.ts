import { mkdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../paths.js';
import { affectedPaths } from '../test-run/affected-paths.js';
import { recordDurations, saySlowFiles, sayTheSlowest } from '../test-run/durations.js';
import { failedLines } from '../test-run/failed-lines.js';
import { countNotStarted, saveReport, type TestReport } from '../test-run/report.js';
import { runTests } from '../test-run/run-jest.js';
import { recordSecondRuns, tooManySecondRuns } from '../test-run/second-run-log.js';
import { filesToRunAgain, flakyFiles, withSecondRun } from '../test-run/second-run.js';
import { deadlineOf, parseTestOptions, type TestOptions } from '../test-run/test-options.js';

const MB = 1024 * 1024;
/** Free space for databases and chains, which are removed at the end. */
const NEEDED_BYTES = 1024 * MB;

/**
 * Runs the test suite, or the files that match, and ends with the line that counts.
 *
 * `--changed` runs what the uncommitted changes affect, `--changed=REVISION` what all changes since then affect, as Nx sees it.
 * `--shard=I/N` runs one of N parts of about the same duration.
 * `--record-durations` writes how long each file took, by which they are ordered.
 * `--second-run` runs one or two files that failed once more, by themselves, reports which are flaky, and counts them
 * (docs/adr/0144).
 * `--within=MINUTES` starts no further file once the time is over; what was not started is listed and counts as skipped, and the
 * run is not green.
 * A file that takes far longer than it may is named.
 * `.tetrad/test-report.json` has the results of all runs of Jest that it made.
 */
export async function test(args: readonly string[]): Promise<number> {
  await assertRoom(tmpdir());
  await mkdir(join(ROOT, '.tetrad'), { recursive: true });
  const options = parseTestOptions(args);
  const first = await runSelected(options);
  if (first === undefined) return countNone();
  await saveReport(first);
  const { report, isSteady } = options.runsFailedAgain
    ? await runAgain(first)
    : { report: first, isSteady: true };
  if (report !== first) await saveReport(report);
  sayTheSlowest(report);
  if (options.recordsDurations) await recordDurations(report);
  await saySlowFiles(report);
  return count(report) && isSteady ? 0 : 1;
}

/** @returns undefined when the changes affect no test */
async function runSelected(options: TestOptions): Promise<TestReport | undefined> {
  const limits = { deadline: deadlineOf(options, Date.now()) };
  if (options.changedSince !== undefined) {
    const paths = await affectedPaths(options.changedSince);
    return paths.length === 0
      ? undefined
      : runTests(['--passWithNoTests', ...paths, ...options.jestArguments], limits);
  }
  return runTests(options.jestArguments, limits);
}

/** Runs what failed once more, when that is little, and reports which files are flaky. */
async function runAgain(first: TestReport): Promise<{ report: TestReport; isSteady: boolean }> {
  const files = filesToRunAgain(first);
  if (files.length === 0) return { report: first, isSteady: true };
  console.error(`\nRunning again by themselves:\n${files.join('\n')}`);
  const second = await runTests(['--runTestsByPath', ...files], { workers: 1 });
  const flaky = flakyFiles(first, second);
  for (const { name, message } of flaky)
    console.error(
      `FLAKY ${name.slice(ROOT.length)}: failed, and passed by itself. The failure was\n${message}`,
    );
  const isSteady = await countFlaky(flaky.map(({ name }) => name.slice(ROOT.length)));
  return { report: withSecondRun(first, second), isSteady };
}

/** Returns whether second runs are still rare. */
async function countFlaky(files: readonly string[]): Promise<boolean> {
  if (files.length === 0) return true;
  const tooMany = tooManySecondRuns(await recordSecondRuns(files, new Date()));
  console.error('Commit libs/testkit/jest/second-runs.json, which counts this second run.');
  for (const { date, file } of tooMany) console.error(`TOO MANY SECOND RUNS ${date} ${file}`);
  return tooMany.length === 0;
}

function countNone(): number {
  console.error('the changes affect no test');
  console.log('0 passed, 0 failed');
  return 0;
}

/** Prints the failures and the counts, last of all. Returns whether something ran, nothing failed, and no file was left out. */
function count(report: TestReport): boolean {
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const skipped = report.numPendingTests + report.numTodoTests;
  const notStarted = countNotStarted(report);
  shoutSkipped(report);
  if (report.numPassedTests + failed === 0) console.error('NO TEST RAN');
  if (notStarted > 0) console.error(`NOT FINISHED: ${notStarted} files were not started`);
  for (const line of failedLines(report)) console.error(line);
  console.log(
    `${report.numPassedTests} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
  );
  return failed === 0 && notStarted === 0 && report.numPassedTests > 0;
}

/**
 * Databases and networks of tests live in the folder for temporary files.
 * @throws Error naming it when it is full
 */
async function assertRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= NEEDED_BYTES) return;
  throw new Error(
    `the tests need ${NEEDED_BYTES / MB} MB in ${folder}, which has ${Math.floor(free / MB)} MB available; ` +
      'make room, or name another folder with TMPDIR',
  );
}

function shoutSkipped(report: TestReport): void {
  for (const { name, assertionResults } of report.testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status === 'pending' || status === 'todo')
        console.error(`SKIPPED ${name.slice(ROOT.length)}: ${fullName}`);
    }
  }
}
