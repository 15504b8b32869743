import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, statfs } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../paths.js';
import { assertQuickFiles, recordDurations, sayTheSlowest } from '../test-run/durations.js';
import { parseTestReport, type TestReport } from '../test-run/report.js';
import { filesToRunAgain, flakyFiles, withSecondRun } from '../test-run/second-run.js';
import { deadlineOf, parseTestOptions } from '../test-run/test-options.js';

const MB = 1024 * 1024;
/** Free space for databases and chains, which are removed at the end. */
const NEEDED_BYTES = 1024 * MB;
/** Tests spend a quarter of their time waiting for blocks and other processes; another worker uses the core then. */
const WORKERS_ABOVE_CORES = 1;
/** The memory of a worker before it is replaced (jest.config.mjs), with the services that its tests start. */
const BYTES_OF_WORKER = 3_000 * MB;

/**
 * Runs the test suite, or the files that match, and ends with the line that counts.
 *
 * `--changed` runs what the uncommitted changes touch, `--changed=REVISION` what all changes since then touch: files
 * that import them, directly or not. `--record-durations` writes how long each file took, by which they are ordered.
 * `--second-run` runs one or two failed files once more, alone, and reports which are flaky (docs/adr/0144).
 * `--within=MINUTES` starts no further file once the time is over; what was not started is listed and counts as skipped.
 * A file that takes far longer than it may fails the run.
 */
export async function test(args: readonly string[]): Promise<number> {
  await assertRoom(tmpdir());
  await mkdir(join(ROOT, '.tetrad'), { recursive: true });
  const options = parseTestOptions(args);
  const first = await runTests(options.jestArguments, { deadline: deadlineOf(options, Date.now()) });
  const report = options.runsFailedAgain ? await runAgain(first) : first;
  sayTheSlowest(report);
  if (options.recordsDurations) await recordDurations(report);
  const isQuick = await assertQuickFiles(report);
  return count(report, options.mayBeEmpty) && isQuick ? 0 : 1;
}

interface RunLimits {
  readonly workers?: number;
  /** When the last file may be started, in ms since 1970. */
  readonly deadline?: number | undefined;
}

/** Fails: Error when jest wrote no report */
async function runTests(
  args: readonly string[],
  { workers = defaultWorkers(), deadline }: RunLimits = {},
): Promise<TestReport> {
  const reportFile = join(ROOT, '.tetrad/test-report.json');
  // The report of an earlier run must not be taken for this one.
  await rm(reportFile, { force: true });
  const jestCode = await runJest(
    [`--maxWorkers=${workers}`, ...args, '--json', `--outputFile=${reportFile}`],
    deadline,
  );
  const text = await readFile(reportFile, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`the tests ended with code ${jestCode} and wrote no report`);
  const report = parseTestReport(text);
  if (jestCode !== 0 && report.success && report.numPassedTests > 0)
    throw new Error(`every test passed, and jest ended with code ${jestCode}`);
  return report;
}

/** Runs failed files once more, when they are few, and reports which are flaky. */
async function runAgain(first: TestReport): Promise<TestReport> {
  const files = filesToRunAgain(first);
  if (files.length === 0) return first;
  console.error(`\nRunning again by themselves:\n${files.join('\n')}`);
  const second = await runTests(['--runTestsByPath', ...files], { workers: 1 });
  for (const { name, message } of flakyFiles(first, second))
    console.error(
      `FLAKY ${name.slice(ROOT.length)}: failed, and passed by itself. The failure was\n${message}`,
    );
  return withSecondRun(first, second);
}

/** Prints the counts, last of all. Returns whether nothing failed, and something ran unless it `mayBeEmpty`. */
function count(report: TestReport, mayBeEmpty: boolean): boolean {
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const skipped = report.numPendingTests + report.numTodoTests;
  shoutSkipped(report);
  const ran = report.numPassedTests + failed > 0;
  if (!ran) console.error(mayBeEmpty ? 'no test touches the changes' : 'NO TEST RAN');
  console.log(
    `${report.numPassedTests} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
  );
  return failed === 0 && (mayBeEmpty || report.numPassedTests > 0);
}

/** Databases and networks of tests live in the folder for temporary files. Fails: Error naming it when it is full. */
async function assertRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= NEEDED_BYTES) return;
  throw new Error(
    `the tests need ${NEEDED_BYTES / MB} MB in ${folder}, which has ${Math.floor(free / MB)} MB available; ` +
      'make room, or name another folder with TMPDIR',
  );
}

/** One more than the number of cores, where memory suffices; at least two. */
function defaultWorkers(): number {
  const cores = availableParallelism();
  const forMemory = Math.floor(totalmem() / BYTES_OF_WORKER);
  return Math.max(2, Math.min(cores + WORKERS_ABOVE_CORES, Math.max(cores, forMemory)));
}

/** The deadline is read by the runner and the sequencer of libs/testkit/jest. */
function runJest(args: readonly string[], deadline: number | undefined): Promise<number> {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const flags = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'];
  const child = spawn(process.execPath, [...flags, jest, '--rootDir', ROOT, ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_OPTIONS: flags.join(' '),
      TETRAD_TEST_DEADLINE: deadline === undefined ? '' : String(deadline),
    },
    // The report goes to its file; text for people goes to standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => done(code ?? 1));
  });
}

function shoutSkipped(report: TestReport): void {
  for (const { name, assertionResults } of report.testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status === 'pending' || status === 'todo')
        console.error(`SKIPPED ${name.slice(ROOT.length)}: ${fullName}`);
    }
  }
}
