import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../paths.js';
import { parseTestReport, type TestReport } from './report.js';
import { workerCount } from './worker-count.js';

/**
 * Megabytes for new objects, 16 by default: a worker allocates much, and most of it lives for one test. Three times fewer
 * collections took a tenth off the time of unit tests. Not for the services, which start with the options of NODE_OPTIONS.
 */
const FLAGS_OF_WORKERS = ['--max-semi-space-size=64'];

/** What failed, as Jest says it, and how far the run is. */
const REPORTERS = ['default', join(ROOT, 'libs/testkit/jest/progress-reporter.mjs')].map(
  (name) => `--reporters=${name}`,
);

/** Code of what thousands of processes of a run load, of services above all: Node.js 24 and newer keep it compiled there. */
const COMPILED_CODE = join(ROOT, 'node_modules/.cache/tetrad/compiled');

export interface RunLimits {
  readonly workers?: number;
  /** When the last file may be started, in ms since 1970. */
  readonly deadline?: number | undefined;
}

/**
 * Runs Jest with these arguments.
 * @throws Error when Jest wrote no report, or ends with an error although every test passed
 */
export async function runTests(
  args: readonly string[],
  { workers = workersOfThisHost(), deadline }: RunLimits = {},
): Promise<TestReport> {
  const reportFile = join(ROOT, '.tetrad/jest-report.json');
  // That of an earlier run must not be taken for this one's.
  await rm(reportFile, { force: true });
  const code = await runJest(
    [`--maxWorkers=${workers}`, ...args, ...REPORTERS, '--json', `--outputFile=${reportFile}`],
    deadline,
  );
  const text = await readFile(reportFile, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`the tests ended with code ${code} and wrote no report`);
  await rm(reportFile);
  const report = parseTestReport(text);
  if (code !== 0 && report.success && report.numPassedTests > 0)
    throw new Error(`every test passed, and jest ended with code ${code}`);
  return report;
}

const workersOfThisHost = () => workerCount({ cores: availableParallelism(), memoryBytes: totalmem() });

/** The deadline is read by the runner and the sequencer of libs/testkit/jest. */
function runJest(args: readonly string[], deadline: number | undefined): Promise<number> {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const flags = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'];
  const child = spawn(process.execPath, [...flags, ...FLAGS_OF_WORKERS, jest, '--rootDir', ROOT, ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_OPTIONS: flags.join(' '),
      NODE_COMPILE_CACHE: COMPILED_CODE,
      TETRAD_TEST_DEADLINE: deadline === undefined ? '' : String(deadline),
    },
    // The report goes to its file; what is for people goes to standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => done(code ?? 1));
  });
}
