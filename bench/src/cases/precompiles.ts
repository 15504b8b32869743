import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@tetrad/devnet';
import type { BenchResult, Comparison } from '../report/result.js';

/** Limit in nanoseconds for a unit of gas: 30 M gas in 2.4 s. */
const LIMIT = 80;
/** Below this much gas the cost of the call itself dominates. */
const LEAST_GAS = 10;

interface Measured {
  readonly name: string;
  readonly gas: number;
  readonly nanoseconds: number;
}

/** Every precompiled contract on inputs that take long for their gas, in a separate process. */
export async function precompiles(): Promise<BenchResult> {
  const program = join(ROOT, 'libs/node/chain/precompiles/dist/measure/main.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const measured = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured);
  return {
    name: 'precompiles',
    comparisons: measured.filter(({ gas }) => gas >= LEAST_GAS).map(compare),
    figures: measured
      .filter(({ gas }) => gas < LEAST_GAS)
      .map(({ name, gas, nanoseconds }) => ({ what: name, value: `${nanoseconds} ns for ${gas} gas` })),
  };
}

function compare({ name, gas, nanoseconds }: Measured): Comparison {
  const ours = nanoseconds / gas;
  return {
    what: name,
    unit: 'ns/gas',
    ours,
    peer: LIMIT,
    peerName: 'the limit',
    ratio: ours / LIMIT,
    target: { bound: 1, side: 'atMost' },
  };
}
