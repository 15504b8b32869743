import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from '@tetrad/bundle';
import { ROOT } from '@tetrad/devnet';
import type { BenchResult, Figure } from '../report/result.js';

/** Cases of the published files that are run, and that are left out: one that is skipped in silence changes a number. */
const PUBLISHED_STATE_TESTS: Readonly<Record<string, { readonly run: number; readonly left: number }>> = {
  'ethereum-tests-eips.ndjson.gz': { run: 0, left: 1_175 },
  'ethereum-tests-general.ndjson.gz': { run: 16_533, left: 403 },
  'legacytests-cancun.ndjson.gz': { run: 77_870, left: 533 },
  'legacytests-constantinople.ndjson.gz': { run: 27_864, left: 89 },
  'legacytests-vm.ndjson.gz': { run: 489, left: 0 },
};

const run = promisify(execFile);
const PROGRAM = 'libs/node/chain/evm/test/state-tests/run-published.ts';
/** The part of a share's output with the names of failed cases. */
const MAX_OUTPUT_BYTES = 64 * 1_024 * 1_024;

interface Counts {
  readonly passed: number;
  readonly failed: readonly string[];
  /** Reason → cases. */
  readonly left: Readonly<Record<string, number>>;
}

/** Every published state test of the folder that TETRAD_STATE_TESTS names, by as many processes as there are cores. */
export async function stateTests(): Promise<BenchResult> {
  const folder = process.env['TETRAD_STATE_TESTS'];
  if (folder === undefined) {
    throw new Error('TETRAD_STATE_TESTS must name the folder with the published state tests (*.ndjson.gz)');
  }
  const program = join(ROOT, '.tetrad', 'bench', 'run-published.js');
  await bundleProgram(PROGRAM, program);
  const from = performance.now();
  const files: Counts[] = [];
  for (const file of Object.keys(PUBLISHED_STATE_TESTS)) {
    const counts = await runFile(program, join(folder, file));
    requireRecorded(file, counts);
    files.push(counts);
  }
  return resultOf(sum(files), (performance.now() - from) / 1_000);
}

async function runFile(program: string, path: string): Promise<Counts> {
  const shares = availableParallelism();
  const outputs = await Promise.all(
    Array.from({ length: shares }, (_, share) =>
      run(process.execPath, ['--enable-source-maps', program, path, String(share), String(shares)], {
        maxBuffer: MAX_OUTPUT_BYTES,
      }),
    ),
  );
  return sum(outputs.map(({ stdout }) => JSON.parse(stdout) as Counts));
}

/** Fails when the numbers of cases differ from the recorded ones: no case is left out silently. */
function requireRecorded(file: string, { passed, failed, left }: Counts): void {
  const found = {
    run: passed + failed.length,
    left: Object.values(left).reduce((all, count) => all + count, 0),
  };
  const recorded = PUBLISHED_STATE_TESTS[file];
  console.log(`${file}: ${passed} of ${found.run} pass, ${found.left} left out`);
  for (const name of failed) console.log(`  FAILED ${name}`);
  if (recorded?.run !== found.run || recorded.left !== found.left) {
    throw new Error(`${file}: ${recorded?.run} cases to run and ${recorded?.left} to leave out are recorded`);
  }
}

function sum(counts: readonly Counts[]): Counts {
  const left: Record<string, number> = {};
  for (const [reason, cases] of counts.flatMap((one) => Object.entries(one.left))) {
    left[reason] = (left[reason] ?? 0) + cases;
  }
  return {
    passed: counts.reduce((all, { passed }) => all + passed, 0),
    failed: counts.flatMap(({ failed }) => failed),
    left,
  };
}

function resultOf({ passed, failed, left }: Counts, seconds: number): BenchResult {
  const cases = passed + failed.length;
  return {
    name: 'state-tests',
    comparisons: [
      {
        what: 'cases that pass',
        unit: 'cases',
        ours: passed,
        peer: cases,
        peerName: 'cases run',
        ratio: passed / cases,
        target: { bound: 1, side: 'atLeast' },
      },
    ],
    figures: [{ what: 'total time', value: `${seconds.toFixed(0)} s` }, ...leftOut(left)],
  };
}

function leftOut(left: Counts['left']): Figure[] {
  return Object.entries(left).map(([reason, cases]) => ({
    what: `skipped: ${reason}`,
    value: String(cases),
  }));
}
