import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from '@tetrad/bundle';
import { ROOT } from '@tetrad/devnet';
import type { BenchResult } from '../report/result.js';

const PROGRAM = 'libs/node/chain/evm/test/fuzz/compare-range.ts';
/** A scenario has three programs: 10 million of them. */
const PROGRAMS_OF_SCENARIO = 3;
const SCENARIOS = Number(process.env['TETRAD_FUZZ_TOTAL'] ?? 3_334_000);
/** Seeds that the suite does not use. */
const FIRST_SEED = Number(process.env['TETRAD_FUZZ_FIRST'] ?? 100_000_000);
/** Compared by one process; its results are kept after each. */
const SCENARIOS_OF_PROCESS = 20_000;
/** Most of what EthereumJS allocates is garbage at once: collected four times less often. */
const SEMI_SPACE_MB = 64;

/** The suite's comparison with EthereumJS, on other seeds, by as many processes as there are cores. */
export async function evmFuzz(): Promise<BenchResult> {
  const program = join(ROOT, '.tetrad', 'bench', 'compare-range.js');
  await bundleProgram(PROGRAM, program);
  const from = performance.now();
  const counts = { next: 0, compared: 0, agreed: 0 };
  await Promise.all(Array.from({ length: availableParallelism() }, () => compareRanges(program, counts)));
  const seconds = (performance.now() - from) / 1_000;
  return {
    name: 'evm-fuzz',
    comparisons: [
      {
        what: 'programs in ranges without a difference',
        unit: 'programs',
        ours: counts.agreed * PROGRAMS_OF_SCENARIO,
        peer: counts.compared * PROGRAMS_OF_SCENARIO,
        peerName: 'programs',
        ratio: counts.agreed / counts.compared,
        target: { bound: 1, side: 'atLeast' },
      },
    ],
    figures: [
      { what: 'total time', value: `${seconds.toFixed(0)} s` },
      { what: 'programs a second', value: ((counts.compared * PROGRAMS_OF_SCENARIO) / seconds).toFixed(0) },
    ],
  };
}

async function compareRanges(
  program: string,
  counts: { next: number; compared: number; agreed: number },
): Promise<void> {
  while (counts.next < SCENARIOS) {
    const first = counts.next;
    const scenarios = Math.min(SCENARIOS_OF_PROCESS, SCENARIOS - first);
    counts.next += scenarios;
    const agreed = await compareRange(program, { first: FIRST_SEED + first, scenarios });
    counts.compared += scenarios;
    if (agreed) counts.agreed += scenarios;
    console.log(
      `${counts.compared} scenarios compared, ${counts.compared - counts.agreed} in ranges with a difference`,
    );
  }
}

/** Differences are printed by the process itself. */
function compareRange(program: string, range: { first: number; scenarios: number }): Promise<boolean> {
  const options = [`--max-semi-space-size=${SEMI_SPACE_MB}`, '--enable-source-maps'];
  const child = spawn(process.execPath, [...options, program, String(range.first), String(range.scenarios)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((done, fail) => child.on('error', fail).on('exit', (code) => done(code === 0)));
}
