import type { BenchResult } from '../report/result.js';
import { runSuite } from '../run-suite.js';

const SUITE = 'libs/node/evm/test/fuzz';
/** A scenario has three programs: 10 million of them, in runs after each of which the result stands. */
const PROGRAMS_OF_SCENARIO = 3;
const SCENARIOS = Number(process.env['TETRAD_FUZZ_TOTAL'] ?? 3_400_000);
const SCENARIOS_OF_RUN = 50_000;

/** The suite's comparison with EthereumJS, with seeds that the suite does not use. */
export async function evmFuzz(): Promise<BenchResult> {
  const from = performance.now();
  let agreed = 0;
  let compared = 0;
  for (; compared < SCENARIOS; compared += SCENARIOS_OF_RUN) {
    const passed = await runSuite(SUITE, {
      TETRAD_FUZZ_FIRST_SEED: String(1_000_000 + compared),
      TETRAD_FUZZ_SCENARIOS: String(SCENARIOS_OF_RUN),
    });
    if (passed) agreed += SCENARIOS_OF_RUN;
  }
  const seconds = (performance.now() - from) / 1_000;
  return {
    name: 'evm-fuzz',
    comparisons: [
      {
        what: 'programs in runs without a difference',
        unit: 'programs',
        ours: agreed * PROGRAMS_OF_SCENARIO,
        peer: compared * PROGRAMS_OF_SCENARIO,
        peerName: 'programs',
        ratio: agreed / compared,
        target: { bound: 1, side: 'atLeast' },
      },
    ],
    figures: [{ what: 'time for all', value: `${seconds.toFixed(0)} s` }],
  };
}
