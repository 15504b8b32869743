import { percentile } from '@tetrad/testkit';
import { databaseBytes } from '../folder-bytes.js';
import { LoadMaker, measureLoad, waitUntilMined } from '../load.js';
import { residentMemory } from '../node-metrics.js';
import { runPaced } from '../paced-load.js';
import { startNode, type BenchNode } from '../peers.js';
import { databaseCpu, processCpu } from '../process-cpu.js';
import { median, type BenchResult, type Comparison } from '../report/result.js';

const TENTHS = 10;
const WARM_UP = 2_000;
/** Transactions of each run that finds the maximum. */
const MAXIMUM_COUNT = 5_000;
const MAXIMUM_RUNS = 3;
const SHARE_OF_MAXIMUM = 0.5;
/** How far the last tenth may be from the first. */
const DRIFT = 1.05;

/** What one tenth of the time showed. */
interface Tenth {
  /** Transactions a second. */
  readonly rate: number;
  /** Milliseconds until the answer. */
  readonly p50: number;
  readonly p99: number;
  /** Megabytes of the node's process at the end. */
  readonly memory: number;
  /** Bytes that tables and indexes grew by, a transaction. */
  readonly storage: number;
  /** Milliseconds of CPU of node and PostgreSQL, a transaction. */
  readonly cpu: number;
}

/** One node at half of its maximum for so long: the last tenth against the first, in memory, storage and latency. */
export async function pacedSoak(durationMs: number): Promise<BenchResult> {
  const node = await startNode();
  try {
    const maker = new LoadMaker();
    const maximum = await findMaximum(node, maker);
    const rate = maximum * SHARE_OF_MAXIMUM;
    const tenths: Tenth[] = [];
    for (let place = 1; place <= TENTHS; place += 1) {
      const tenth = await measureTenth(node, maker, { rate, durationMs: durationMs / TENTHS });
      tenths.push(tenth);
      const { memory, storage, p50, p99 } = tenth;
      process.stderr.write(
        `  tenth ${place}: ${memory.toFixed(0)} MB, ${storage.toFixed(0)} bytes a transaction, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms\n`,
      );
    }
    return report(tenths, { maximum, durationMs });
  } finally {
    await node.stop();
  }
}

async function findMaximum({ url }: BenchNode, maker: LoadMaker): Promise<number> {
  await measureLoad(url, maker.transfers(WARM_UP), maker.reached());
  const rates: number[] = [];
  for (let run = 0; run < MAXIMUM_RUNS; run += 1) {
    const raws = maker.transfers(MAXIMUM_COUNT);
    rates.push((await measureLoad(url, raws, maker.reached())).transactionsPerSecond);
  }
  return median(rates);
}

async function measureTenth(
  node: BenchNode,
  maker: LoadMaker,
  pace: { readonly rate: number; readonly durationMs: number },
): Promise<Tenth> {
  const before = await usageOf(node);
  const { sent, seconds, times } = await runPaced(node.url, maker, pace);
  await waitUntilMined(node.url, maker.reached());
  const after = await usageOf(node);
  return {
    rate: sent / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    memory: ((await residentMemory(node.pid)) ?? NaN) / 1e6,
    storage: (after.bytes - before.bytes) / sent,
    cpu: ((after.cpu - before.cpu) * 1_000) / sent,
  };
}

async function usageOf({
  pid,
  folder,
}: BenchNode): Promise<{ readonly bytes: number; readonly cpu: number }> {
  const cpu = (await processCpu(pid)) + (await databaseCpu(folder));
  return { bytes: await databaseBytes(folder), cpu };
}

function report(
  tenths: readonly Tenth[],
  { maximum, durationMs }: { readonly maximum: number; readonly durationMs: number },
): BenchResult {
  const byTenth = (what: string, name: keyof Tenth, digits: number) => ({
    what: `${what} by tenth`,
    value: tenths.map((tenth) => tenth[name].toFixed(digits)).join(' '),
  });
  return {
    name: 'soak',
    comparisons: [
      drift(tenths, { what: 'memory of the node', unit: 'MB', name: 'memory' }),
      drift(tenths, { what: 'growth of the database', unit: 'bytes/tx', name: 'storage' }),
      drift(tenths, { what: 'median time to the answer', unit: 'ms', name: 'p50' }),
    ],
    figures: [
      {
        what: 'load',
        value: `${(maximum * SHARE_OF_MAXIMUM).toFixed(0)} tx/s, half of ${maximum.toFixed(0)}, for ${(durationMs / 60_000).toFixed(1)} minutes`,
      },
      byTenth('tx/s', 'rate', 0),
      byTenth('memory, MB,', 'memory', 0),
      byTenth('bytes of a transaction', 'storage', 0),
      byTenth('p50, ms,', 'p50', 1),
      byTenth('p99, ms,', 'p99', 0),
      byTenth('CPU of a transaction, ms,', 'cpu', 2),
    ],
  };
}

function drift(
  tenths: readonly Tenth[],
  { what, unit, name }: { readonly what: string; readonly unit: string; readonly name: keyof Tenth },
): Comparison {
  const [ours, peer] = [tenths.at(-1)?.[name] ?? NaN, tenths[0]?.[name] ?? NaN];
  return {
    what: `${what}, last tenth`,
    unit,
    ours,
    peer,
    peerName: 'the first tenth',
    ratio: ours / peer,
    target: { bound: DRIFT, side: 'atMost' },
  };
}
