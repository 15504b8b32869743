import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../paths.js';

/** The name of the one test of a file that was left out (libs/testkit/jest/time-boxed-runner.mjs). */
const NOT_STARTED = 'was not started: the time of this run was over';

const reportSchema = z.looseObject({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
  testResults: z.array(
    z.looseObject({
      /** Absolute path of the file. */
      name: z.string(),
      status: z.string(),
      /** The messages of its failures; empty when it passed. */
      message: z.string(),
      /** In ms since 1970. */
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(z.looseObject({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** The report that jest writes. */
export type TestReport = z.infer<typeof reportSchema>;

/** @throws ZodError or SyntaxError when it is not a report of jest */
export function parseTestReport(text: string): TestReport {
  return reportSchema.parse(JSON.parse(text));
}

/** How many files were left out because the time of the run was over. */
export function countNotStarted({ testResults }: TestReport): number {
  return testResults.filter(({ assertionResults }) =>
    assertionResults.some(({ status, fullName }) => status === 'pending' && fullName === NOT_STARTED),
  ).length;
}

/** Writes the report of all runs to `.tetrad/test-report.json`, in place of that of an earlier run. */
export async function saveReport(report: TestReport): Promise<void> {
  await writeFile(join(ROOT, '.tetrad/test-report.json'), JSON.stringify(report));
}
