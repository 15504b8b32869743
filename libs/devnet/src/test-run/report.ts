import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../paths.js';

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

/** Fails: ZodError or SyntaxError when it is not a report of jest. */
export function parseTestReport(text: string): TestReport {
  return reportSchema.parse(JSON.parse(text));
}

/** The report of two runs that have no file in common. */
export function joinReports(a: TestReport, b: TestReport): TestReport {
  return {
    success: a.success && b.success,
    numPassedTests: a.numPassedTests + b.numPassedTests,
    numFailedTests: a.numFailedTests + b.numFailedTests,
    numPendingTests: a.numPendingTests + b.numPendingTests,
    numTodoTests: a.numTodoTests + b.numTodoTests,
    numRuntimeErrorTestSuites: a.numRuntimeErrorTestSuites + b.numRuntimeErrorTestSuites,
    testResults: [...a.testResults, ...b.testResults],
  };
}

/** Writes the report of all runs to `.tetrad/test-report.json`, in place of that of an earlier run. */
export async function saveReport(report: TestReport): Promise<void> {
  await writeFile(join(ROOT, '.tetrad/test-report.json'), JSON.stringify(report));
}
