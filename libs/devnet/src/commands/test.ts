import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../paths.js';

const reportSchema = z.looseObject({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
  testResults: z.array(
    z.looseObject({
      name: z.string(),
      assertionResults: z.array(z.looseObject({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

const MB = 1024 * 1024;
/** Of databases and chains; they are removed at the end. */
const NEEDED_BYTES = 1024 * MB;

type Report = z.infer<typeof reportSchema>;

/** Runs the test suite, or the files that match, and ends with the line that counts. */
export async function test(args: readonly string[]): Promise<number> {
  await assertRoom(tmpdir());
  const folder = join(ROOT, '.tetrad');
  await mkdir(folder, { recursive: true });
  const reportFile = join(folder, 'test-report.json');
  // That of an earlier run must not be taken for this one's.
  await rm(reportFile, { force: true });
  const jestCode = await runJest([...args, '--json', `--outputFile=${reportFile}`]);
  const text = await readFile(reportFile, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`the tests ended with code ${jestCode} and wrote no report`);
  const report = reportSchema.parse(JSON.parse(text));
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const skipped = report.numPendingTests + report.numTodoTests;
  shoutSkipped(report);
  if (report.numPassedTests + failed === 0) console.error('NO TEST RAN');
  console.log(
    `${report.numPassedTests} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
  );
  return failed === 0 && report.numPassedTests > 0 ? jestCode : 1;
}

/** Databases and networks of tests live in the folder for temporary files. Fails: Error naming it when it is full. */
async function assertRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= NEEDED_BYTES) return;
  throw new Error(
    `the tests need ${NEEDED_BYTES / MB} MB in ${folder}, which has ${Math.floor(free / MB)} MB left; ` +
      'make room, or name another folder with TMPDIR',
  );
}

function runJest(args: readonly string[]): Promise<number> {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const flags = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'];
  const child = spawn(process.execPath, [...flags, jest, '--rootDir', ROOT, '--maxWorkers=2', ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: flags.join(' ') },
    // The report goes to its file; what is for people goes to standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => done(code ?? 1));
  });
}

function shoutSkipped(report: Report): void {
  for (const { name, assertionResults } of report.testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status === 'pending' || status === 'todo')
        console.error(`SKIPPED ${name.slice(ROOT.length)}: ${fullName}`);
    }
  }
}
