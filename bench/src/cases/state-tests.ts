import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchResult, Figure } from '../report/result.js';
import { runSuite } from '../run-suite.js';

const SUITE = 'libs/node/evm/test/state-tests/state-tests.full.test.ts';

interface FileResult {
  readonly passed: number;
  readonly failed: readonly string[];
  /** Reason → cases. */
  readonly left: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Every published state test of the folder that TETRAD_STATE_TESTS names. */
export async function stateTests(): Promise<BenchResult> {
  if (process.env['TETRAD_STATE_TESTS'] === undefined) {
    throw new Error('TETRAD_STATE_TESTS must name the folder with the published state tests (*.ndjson.gz)');
  }
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-state-tests-'));
  const report = join(folder, 'report.json');
  try {
    const passed = await runSuite(SUITE, { TETRAD_STATE_TESTS_REPORT: report });
    const files = JSON.parse(await readFile(report, 'utf8')) as Record<string, FileResult>;
    const failed = Object.values(files).some((file) => file.failed.length > 0);
    if (!passed && !failed) throw new Error('there are other cases than recorded-counts.ts says');
    return resultOf(files);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function resultOf(files: Readonly<Record<string, FileResult>>): BenchResult {
  const results = Object.values(files);
  const passed = results.reduce((sum, file) => sum + file.passed, 0);
  const run = results.reduce((sum, file) => sum + file.passed + file.failed.length, 0);
  const seconds = results.reduce((sum, file) => sum + file.seconds, 0);
  return {
    name: 'state-tests',
    comparisons: [
      {
        what: 'cases that pass',
        unit: 'cases',
        ours: passed,
        peer: run,
        peerName: 'cases run',
        ratio: passed / run,
        target: { bound: 1, side: 'atLeast' },
      },
    ],
    figures: [{ what: 'time for all', value: `${seconds.toFixed(0)} s` }, ...leftOut(results)],
  };
}

function leftOut(results: readonly FileResult[]): Figure[] {
  const counts = new Map<string, number>();
  for (const { left } of results) {
    for (const [reason, cases] of Object.entries(left)) counts.set(reason, (counts.get(reason) ?? 0) + cases);
  }
  return [...counts].map(([reason, cases]) => ({ what: `left out: ${reason}`, value: String(cases) }));
}
