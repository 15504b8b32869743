import type { BenchResult } from '../report/result.js';
import { runSuite } from '../run-suite.js';

const DAYS = 20_000;
const SUITE = 'libs/rollup/batcher/test/hostile-demands.prop.test.ts';

/** Many times the days of the test suite: hostile holders, and operators that do not serve, without a freeze that should not be. */
export async function rollupGame(): Promise<BenchResult> {
  const from = performance.now();
  const passed = await runSuite(SUITE, { TETRAD_GAME_DAYS: String(DAYS), TETRAD_TEST_SEED: 'random' });
  const seconds = (performance.now() - from) / 1_000;
  const held = passed ? DAYS : 0;
  return {
    name: 'rollup-game',
    comparisons: [
      {
        what: 'days without a freeze of a working operator',
        unit: 'days',
        ours: held,
        peer: DAYS,
        peerName: 'days',
        ratio: held / DAYS,
        target: { bound: 1, side: 'atLeast' },
      },
    ],
    figures: [{ what: 'total time', value: `${seconds.toFixed(0)} s` }],
  };
}
