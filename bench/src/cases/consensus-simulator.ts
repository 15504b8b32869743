import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';
import type { BenchResult } from '../report/result.js';

const SEEDS = 2_000;
const SUITE = 'libs/node/consensus-bft/test/simulator';

/** Ten times the seeds of the test suite: validators of which f are faulty, in a hostile network, without a violation. */
export async function consensusSimulator(): Promise<BenchResult> {
  const from = performance.now();
  const passed = await runSeeds();
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
    figures: [{ what: 'time for all', value: `${seconds.toFixed(0)} s` }],
  };
}

/** Runs the suite's own test with more seeds; what it finds wrong stands on the terminal. */
function runSeeds(): Promise<boolean> {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, ['--experimental-vm-modules', jest, SUITE, '--maxWorkers=1'], {
    cwd: ROOT,
    env: { ...process.env, TETRAD_SIMULATOR_SEEDS: String(SEEDS) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((done, fail) => child.on('error', fail).on('exit', (code) => done(code === 0)));
}
