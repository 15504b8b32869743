import { percentile } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import { CONNECTIONS } from '../load.js';
import { startNode, type BenchNode } from '../peers.js';
import { databaseCpu, processCpu } from '../process-cpu.js';
import { ReceiptTimes } from '../receipt-times.js';
import { median, type BenchResult, type Figure } from '../report/result.js';
import { TokenSenders, type Visibility } from '../token-senders.js';

const NODES = 4;
const BLOCK_PERIOD_MS = 1000;
const COUNT = 1_000;
const RUNS = 3;

interface Run {
  readonly rate: number;
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

/** Token transfers between two of four nodes, against public ones of the same accounts on the same network. */
export async function privateTransfers(): Promise<BenchResult> {
  const node = await startNode({
    ...{ nodes: NODES, blockPeriodMs: BLOCK_PERIOD_MS },
    services: 'node,transaction-manager',
  });
  try {
    const bench = await prepare(node);
    const runs: Record<Visibility, Run[]> = { private: [], public: [] };
    for (const visibility of ['public', 'private'] as const) await measure(bench, visibility, COUNT / 4);
    for (let run = 0; run < RUNS; run += 1)
      for (const visibility of ['public', 'private'] as const)
        runs[visibility].push(await measure(bench, visibility, COUNT));
    bench.senders.close();
    return report(runs);
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
  for (const visibility of ['public', 'private'] as const) {
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

/** Sends so many transfers, some at a time, and waits until both nodes have executed them. */
async function measure(bench: Bench, visibility: Visibility, count: number): Promise<Run> {
  const token = bench.tokens.get(visibility) as Address;
  const receipts = await ReceiptTimes.open(bench.urls);
  const before = await cpuOf(bench.node);
  const started = performance.now();
  let next = 0;
  const work = async () => {
    while (next < count) {
      const [index, since] = [next++, performance.now()];
      await bench.senders.transfer(visibility, token, index, (hash) => receipts.add(hash, since));
    }
  };
  const [times] = await Promise.all([receipts.until(count), ...Array.from({ length: CONNECTIONS }, work)]);
  const rate = count / ((performance.now() - started) / 1_000);
  const after = await cpuOf(bench.node);
  return {
    rate,
    times,
    cpu: new Map([...after].map(([name, cpu]) => [name, cpu - (before.get(name) ?? 0)])),
  };
}

async function cpuOf({ network, folder }: BenchNode): Promise<Map<string, number>> {
  const names = ['node', 'manager'].flatMap((kind) =>
    Array.from({ length: NODES }, (_, index) => `${kind}${index}`),
  );
  const { user, system } = process.cpuUsage();
  const cpu = new Map([['sender', (user + system) / 1e6]]);
  for (const name of names) cpu.set(name, await processCpu(network.process(name).pid));
  return cpu.set('PostgreSQL', await databaseCpu(folder));
}

function report(runs: Readonly<Record<Visibility, readonly Run[]>>): BenchResult {
  const rateOf = (visibility: Visibility) => median(runs[visibility].map(({ rate }) => rate));
  const periods = (visibility: Visibility) =>
    percentile(
      runs[visibility].flatMap(({ times }) => times),
      0.99,
    ) / BLOCK_PERIOD_MS;
  return {
    name: 'private',
    comparisons: [
      {
        ...{ what: 'private token transfers', unit: 'tx/s', peerName: 'public transfers' },
        ...{ ours: rateOf('private'), peer: rateOf('public') },
        ratio: rateOf('private') / rateOf('public'),
        target: { bound: 0.5, side: 'atLeast' },
      },
      {
        ...{ what: 'p99 from submission to receipt', unit: 'periods', peerName: 'one block period' },
        ...{ ours: periods('private'), peer: 1, ratio: periods('private') },
        target: { bound: 3, side: 'atMost' },
      },
    ],
    figures: [
      { what: 'p99 of public transfers', value: `${periods('public').toFixed(2)} periods` },
      ...(['private', 'public'] as const).flatMap((visibility) => figuresOf(visibility, runs[visibility])),
    ],
  };
}

function figuresOf(visibility: Visibility, runs: readonly Run[]): Figure[] {
  const cpu = [...(runs[0]?.cpu.keys() ?? [])].map((name) => {
    const seconds = runs.reduce((sum, run) => sum + (run.cpu.get(name) ?? 0), 0);
    return `${name} ${((seconds / runs.length / COUNT) * 1_000).toFixed(2)}`;
  });
  return [
    { what: `${visibility} runs, tx/s`, value: runs.map(({ rate }) => rate.toFixed(0)).join(' ') },
    { what: `CPU of a ${visibility} transfer, ms`, value: cpu.join(', ') },
  ];
}
