import { LoadMaker, measureLoad } from '../load.js';
import { residentMemory } from '../node-metrics.js';
import { startNode } from '../peers.js';
import type { BenchResult, Comparison } from '../report/result.js';

const TENTHS = 10;
const PER_TENTH = 10_000;

/** A hundred thousand transactions: the last tenth against the first, in speed and in memory. */
export async function soak(): Promise<BenchResult> {
  const node = await startNode();
  try {
    const maker = new LoadMaker();
    // Warms the node up, so that the first tenth does not include compilation.
    await measureLoad(node.url, maker.transfers(2_000), maker.reached());
    const rates: number[] = [];
    const memory: number[] = [];
    for (let tenth = 0; tenth < TENTHS; tenth++) {
      const { transactionsPerSecond } = await measureLoad(
        node.url,
        maker.transfers(PER_TENTH),
        maker.reached(),
      );
      rates.push(transactionsPerSecond);
      memory.push((await residentMemory(node.pid)) ?? NaN);
      process.stderr.write(
        `  tenth ${tenth + 1}: ${transactionsPerSecond.toFixed(0)} tx/s, ${((memory.at(-1) as number) / 1e6).toFixed(0)} MB\n`,
      );
    }
    return {
      name: 'soak',
      comparisons: [
        against('speed of the last tenth', { unit: 'tx/s', values: rates, bound: 0.9, side: 'atLeast' }),
        against('memory after the last tenth', {
          unit: 'MB',
          values: memory.map((bytes) => bytes / 1e6),
          bound: 1.3,
          side: 'atMost',
        }),
      ],
      figures: [{ what: 'tenths', value: rates.map((rate) => rate.toFixed(0)).join(' ') }],
    };
  } finally {
    await node.stop();
  }
}

function against(
  what: string,
  {
    unit,
    values,
    bound,
    side,
  }: { unit: string; values: readonly number[]; bound: number; side: 'atLeast' | 'atMost' },
): Comparison {
  const [ours, peer] = [values.at(-1) as number, values[0] as number];
  return {
    what,
    unit,
    ours,
    peer,
    peerName: 'after the first tenth',
    ratio: ours / peer,
    target: { bound, side },
  };
}
