import type { BenchResult, Comparison } from '../report/result.js';
import { runSuite } from '../run-suite.js';

/** What is attacked, and the tests that do it. */
const SUITES: Readonly<Record<string, string>> = {
  'inputs of the circuit': 'libs/rollup/state/test/tampered-inputs.prop.test.ts',
  'hints of the circuit': 'libs/rollup/state/test/hints.test.ts',
  'solved witnesses': 'libs/rollup/state/test/forged-witnesses.test.ts',
  'proofs, on both verifiers': 'libs/rollup/chain/test/tampered-proofs.scenario.test.ts',
};

/** All attempts at proving what is false of which the test suite makes some: each is refused, or has no effect. */
export async function rollupAttack(): Promise<BenchResult> {
  const from = performance.now();
  const comparisons: Comparison[] = [];
  for (const [what, suite] of Object.entries(SUITES)) {
    const passed = await runSuite(suite, { TETRAD_ROLLUP_ATTACKS: 'all' });
    comparisons.push({
      what: `${what}: attacks refused`,
      unit: 'suites',
      ours: passed ? 1 : 0,
      peer: 1,
      peerName: 'all',
      ratio: passed ? 1 : 0,
      target: { bound: 1, side: 'atLeast' },
    });
  }
  const seconds = (performance.now() - from) / 1_000;
  return {
    name: 'rollup-attack',
    comparisons,
    figures: [{ what: 'total time', value: `${seconds.toFixed(0)} s` }],
  };
}
