import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import { CONNECTIONS } from '../load.js';
import { startNode, type BenchNode } from '../peers.js';
import { cpuBetween, cpuByProcess } from '../process-cpu.js';
import { ReceiptTimes } from '../receipt-times.js';
import { median, type BenchResult, type Figure } from '../report/result.js';
import { TokenSenders, type Visibility } from '../token-senders.js';

const NODES = 4;
const BLOCK_PERIOD_MS = 1000;
/** Of each round: several blocks, since how full the last one is decides the rate of a short round. */
const ROUND_MS = 12_000;
const WARM_UP_MS = 3_000;
const RUNS = 3;
/** Transfers by themselves, of each kind, after a pause in which the nodes finish what the load has left. */
const SINGLES = 100;
const SETTLE_MS = 5_000;
const SINGLES_AT_A_TIME = 5;
const BOTH = ['public', 'private'] as const;

interface Run {
  readonly rate: number;
  readonly count: number;
  /** Milliseconds from the start of each transfer to its receipt. */
  readonly times: readonly number[];
  /** CPU seconds by process. */
  readonly cpu: ReadonlyMap<string, number>;
}

interface Bench {
  readonly node: BenchNode;
  readonly senders: TokenSenders;
  readonly urls: readonly [string, string];
  readonly tokens: ReadonlyMap<Visibility, Address>;
}

type Both<T> = Readonly<Record<Visibility, readonly T[]>>;

/** Token transfers between two of four nodes, against public ones of the same accounts on the same network. */
export async function privateTransfers(): Promise<BenchResult> {
  const node = await startNode({
    nodes: NODES,
    blockPeriodMs: BLOCK_PERIOD_MS,
    services: 'node,transaction-manager',
  });
  try {
    const bench = await prepare(node);
    const runs: Record<Visibility, Run[]> = { private: [], public: [] };
    for (const visibility of BOTH) await measure(bench, visibility, WARM_UP_MS);
    for (let run = 0; run < RUNS; run += 1)
      for (const visibility of BOTH) runs[visibility].push(await measure(bench, visibility, ROUND_MS));
    const singles = await measureSingles(bench);
    bench.senders.close();
    return report(runs, singles);
  } finally {
    await node.stop();
  }
}

async function prepare(node: BenchNode): Promise<Bench> {
  const [first, second] = node.network.endpoints.nodes;
  if (!first?.ptm || !second?.ptmKey) throw new Error('the network has no managers');
  const urls = [first.rpc, second.rpc] as const;
  const senders = new TokenSenders({ rpc: first.rpc, manager: first.ptm }, second.ptmKey);
  const tokens = new Map<Visibility, Address>();
  for (const visibility of BOTH) {
    const receipts = await ReceiptTimes.open(urls);
    let count = 0;
    const onSigned = (hash: string) => {
      count += 1;
      receipts.add(hash, performance.now());
    };
    tokens.set(visibility, await senders.deploy(visibility, onSigned));
    await receipts.until(count);
  }
  return { node, senders, urls, tokens };
}

/** Sends transfers for so long, some at a time, and waits until both nodes have executed them. */
async function measure(bench: Bench, visibility: Visibility, durationMs: number): Promise<Run> {
  const token = bench.tokens.get(visibility) as Address;
  const receipts = await ReceiptTimes.open(bench.urls);
  const before = await cpuOf(bench.node);
  const started = performance.now();
  let count = 0;
  const work = async () => {
    while (performance.now() - started < durationMs) {
      const [index, since] = [count++, performance.now()];
      await bench.senders.transfer(visibility, token, index, (hash) => receipts.add(hash, since));
    }
  };
  const times = await receipts.untilAll(Promise.all(Array.from({ length: CONNECTIONS }, work)));
  const rate = count / ((performance.now() - started) / 1_000);
  return { rate, count, times, cpu: cpuBetween(before, await cpuOf(bench.node)) };
}

/** Milliseconds of sends one after the other, from the payload to the answer with the hash, some of each kind in turn. */
async function measureSingles(bench: Bench): Promise<Both<number>> {
  const singles: Record<Visibility, number[]> = { private: [], public: [] };
  await pause(SETTLE_MS);
  const receipts = await ReceiptTimes.open(bench.urls);
  for (let made = 0; made < SINGLES; made += SINGLES_AT_A_TIME)
    for (const visibility of BOTH)
      for (let index = made; index < made + SINGLES_AT_A_TIME; index += 1) {
        const since = performance.now();
        const token = bench.tokens.get(visibility) as Address;
        await bench.senders.transfer(visibility, token, index, (hash) => receipts.add(hash, since));
        singles[visibility].push(performance.now() - since);
      }
  await receipts.until(2 * SINGLES);
  return singles;
}

function cpuOf(node: BenchNode): Promise<Map<string, number>> {
  const names = ['node', 'manager'].flatMap((kind) =>
    Array.from({ length: NODES }, (_, index) => `${kind}${index}`),
  );
  return cpuByProcess(node, names);
}

function report(runs: Both<Run>, singles: Both<number>): BenchResult {
  const rateOf = (visibility: Visibility) => median(runs[visibility].map(({ rate }) => rate));
  const periods = (visibility: Visibility) =>
    percentile(
      runs[visibility].flatMap(({ times }) => times),
      0.99,
    ) / BLOCK_PERIOD_MS;
  const single = { private: median(singles.private), public: median(singles.public) };
  return {
    name: 'private',
    comparisons: [
      {
        what: 'private token transfers',
        unit: 'tx/s',
        peerName: 'public transfers',
        ours: rateOf('private'),
        peer: rateOf('public'),
        ratio: median(runs.private.map(({ rate }, index) => rate / (runs.public[index] as Run).rate)),
        target: { bound: 0.5, side: 'atLeast' },
      },
      {
        what: 'p99 from submission to receipt',
        unit: 'periods',
        peerName: 'one block period',
        ours: periods('private'),
        peer: 1,
        ratio: periods('private'),
        target: { bound: 3, side: 'atMost' },
      },
      {
        what: 'a private send by itself',
        unit: 'ms',
        peerName: 'a public send by itself',
        ours: single.private,
        peer: single.public,
        ratio: single.private / single.public,
        target: { bound: 1.5, side: 'atMost' },
      },
    ],
    figures: [
      { what: 'p99 of public transfers', value: `${periods('public').toFixed(2)} periods` },
      ...(['private', 'public'] as const).flatMap((visibility) => figuresOf(visibility, runs[visibility])),
    ],
  };
}

function figuresOf(visibility: Visibility, runs: readonly Run[]): Figure[] {
  const count = runs.reduce((sum, run) => sum + run.count, 0);
  const cpu = [...(runs[0]?.cpu.keys() ?? [])].map((name) => {
    const seconds = runs.reduce((sum, run) => sum + (run.cpu.get(name) ?? 0), 0);
    return `${name} ${((seconds / count) * 1_000).toFixed(2)}`;
  });
  return [
    { what: `${visibility} runs, tx/s`, value: runs.map(({ rate }) => rate.toFixed(0)).join(' ') },
    { what: `CPU of a ${visibility} transfer, ms`, value: cpu.join(', ') },
  ];
}
