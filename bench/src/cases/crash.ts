import type { BenchResult, Comparison } from '../report/result.js';
import { runSuite } from '../run-suite.js';

const SCENARIOS = 'apps/node/test';
/** Tests of the suite, where each kills only a few times: the file, the variable with the number of kills, and what it kills. */
const SUITES = [
  {
    what: 'kills without a loss',
    kills: 50,
    path: `${SCENARIOS}/scenarios/crash.scenario.test.ts`,
    variable: 'TETRAD_CRASH_KILLS',
  },
  {
    what: 'kills of an import without a difference',
    kills: 30,
    path: `${SCENARIOS}/import/import-process.scenario.test.ts`,
    variable: 'TETRAD_IMPORT_KILLS',
  },
] as const;

/**
 * A node that is killed 50 times under load, and imports that are killed 30 times; fails when an acknowledged transaction is lost, or
 * a database is another one than that of an import without a kill.
 */
export async function crash(): Promise<BenchResult> {
  const from = performance.now();
  const comparisons: Comparison[] = [];
  for (const { what, kills, path, variable } of SUITES) {
    const survived = (await runSuite(path, { [variable]: String(kills) })) ? kills : 0;
    comparisons.push({
      what,
      unit: 'kills',
      ours: survived,
      peer: kills,
      peerName: 'kills',
      ratio: survived / kills,
      target: { bound: 1, side: 'atLeast' },
    });
  }
  const seconds = (performance.now() - from) / 1000;
  return {
    name: 'crash',
    comparisons,
    figures: [{ what: 'total time', value: `${seconds.toFixed(0)} s` }],
  };
}
