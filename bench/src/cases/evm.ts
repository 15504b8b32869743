import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from '@tetrad/devnet';
import type { BenchResult, Comparison } from '../report/result.js';

const run = promisify(execFile);
const LIBRARY = join(ROOT, 'libs/node/evm');
/** Next to the packages that it imports. */
const PROGRAM = join(LIBRARY, 'dist/speed/measure.js');

interface Measured {
  readonly name: string;
  readonly target: number;
  /** Microseconds a run. */
  readonly ours: number;
  readonly theirs: number;
}

/**
 * Our interpreter against EthereumJS, in one process, over the workloads whose results the suite compares. The
 * oracle is not a dependency of the product, so the measuring program is built here and run in a separate process.
 */
export async function evm(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-evm-'));
  const report = join(folder, 'speed.json');
  try {
    await build({
      ...{ entryPoints: [join(LIBRARY, 'test/speed/measure.ts')], outfile: PROGRAM },
      ...{ bundle: true, packages: 'external', platform: 'node', format: 'esm', logLevel: 'error' },
    });
    await run(process.execPath, [PROGRAM, report]);
    const measured = JSON.parse(await readFile(report, 'utf8')) as readonly Measured[];
    return { name: 'evm', comparisons: measured.map(comparisonOf), figures: [] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function comparisonOf({ name, target, ours, theirs }: Measured): Comparison {
  const [own, oracle] = [1e6 / ours, 1e6 / theirs];
  return {
    what: name,
    unit: 'runs/s',
    ours: own,
    peer: oracle,
    peerName: 'EthereumJS',
    ratio: own / oracle,
    target: { bound: target, side: 'atLeast' },
  };
}
