import type { BenchResult, Comparison } from '../report/result.js';
import { runMeasuringProgram } from './measuring-program.js';

interface Measured {
  readonly name: string;
  readonly target: number;
  /** Microseconds a run. */
  readonly ours: number;
  readonly theirs: number;
}

/** Our interpreter against EthereumJS, in one process, over the workloads whose results the suite compares. */
export async function evm(): Promise<BenchResult> {
  const measured = (await runMeasuringProgram('measure')) as readonly Measured[];
  return { name: 'evm', comparisons: measured.map(comparisonOf), figures: [] };
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
