import type { BenchResult } from '../report/result.js';
import { runSuite } from '../run-suite.js';

const KILLS = 50;
const SUITE = 'apps/node/test/scenarios/crash.scenario.test.ts';

/** A node that is killed 50 times under load, ten times in the suite; fails when an acknowledged transaction is lost. */
export async function crash(): Promise<BenchResult> {
  const from = performance.now();
  const survived = (await runSuite(SUITE, { TETRAD_CRASH_KILLS: String(KILLS) })) ? KILLS : 0;
  const seconds = (performance.now() - from) / 1000;
  return {
    name: 'crash',
    comparisons: [
      {
        what: 'kills without a loss',
        unit: 'kills',
        ours: survived,
        peer: KILLS,
        peerName: 'kills',
        ratio: survived / KILLS,
        target: { bound: 1, side: 'atLeast' },
      },
    ],
    figures: [{ what: 'total time', value: `${seconds.toFixed(0)} s` }],
  };
}
