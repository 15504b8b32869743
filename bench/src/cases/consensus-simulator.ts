import type { BenchResult } from '../report/result.js';
import { runSuite } from '../run-suite.js';

const SEEDS = 2_000;
const SUITE = 'libs/node/chain/consensus-bft/test/simulator';

/** Many times the seeds of the test suite: validators of which f are faulty, in a hostile network, without a violation. */
export async function consensusSimulator(): Promise<BenchResult> {
  const from = performance.now();
  const passed = await runSuite(SUITE, { TETRAD_SIMULATOR_SEEDS: String(SEEDS) });
  const seconds = (performance.now() - from) / 1000;
  const sound = passed ? SEEDS : 0;
  return {
    name: 'consensus-simulator',
    comparisons: [
      {
        what: 'runs without a violation',
        unit: 'seeds',
        ours: sound,
        peer: SEEDS,
        peerName: 'runs',
        ratio: sound / SEEDS,
        target: { bound: 1, side: 'atLeast' },
      },
    ],
    figures: [{ what: 'total time', value: `${seconds.toFixed(0)} s` }],
  };
}
