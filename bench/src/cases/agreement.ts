import type { Address } from '@tetrad/types';
import { untilAgreed } from '../agreement-metrics.js';
import { withLinkedParties, type LinkedParties } from '../linked-parties.js';
import { CONNECTIONS } from '../load.js';
import { cpuBetween, cpuByProcess } from '../process-cpu.js';
import { ReceiptTimes } from '../receipt-times.js';
import { median, type BenchResult, type Figure } from '../report/result.js';
import { TokenSenders } from '../token-senders.js';

/** Both are parties of each transfer, so that nothing else has a share in the costs. */
const NODES = 2;
const PROCESSES = ['node0', 'node1', 'manager0', 'manager1'];
/** TETRAD_BENCH_ROUNDS sets another number. */
const ROUNDS = Number(process.env['TETRAD_BENCH_ROUNDS'] ?? 5);
const ROUND_MS = 10_000;
const WARM_UP_MS = 3_000;
/** Blocks with one transfer each, in each round. */
const SINGLE_BLOCKS = 8;
const AGREED_MS = 120_000;
const MODES = ['on', 'off'] as const;
type Mode = (typeof MODES)[number];

interface Round {
  /** Transfers a second. */
  readonly rate: number;
  /** CPU seconds of a transfer, by process. */
  readonly cpu: ReadonlyMap<string, number>;
  /** For a block with one transfer: bytes between both managers, and CPU seconds of all processes. */
  readonly blockBytes: number;
  readonly blockCpu: number;
}

interface Bench extends LinkedParties {
  readonly senders: TokenSenders;
  readonly urls: readonly [string, string];
  readonly token: Address;
  /** How long stating what was sent took last, in ms: a round without it waits as long, so that both have idled alike. */
  restMs: number;
}

/** Private token transfers of two parties that state their results to each other, against the same network without that. */
export function agreement(): Promise<BenchResult> {
  return withLinkedParties(NODES, async (parties) => {
    const bench = await prepare(parties);
    const rounds: Record<Mode, Round[]> = { on: [], off: [] };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const mode of MODES) {
        const measured = await measure(bench, mode);
        rounds[mode].push(measured);
        process.stderr.write(`  ${mode}: ${measured.rate.toFixed(0)} tx/s\n`);
      }
    bench.senders.close();
    return report(rounds);
  });
}

async function prepare({ linked, folder }: LinkedParties): Promise<Bench> {
  const [first, second] = linked.network.endpoints.nodes;
  if (!first?.ptm || !second?.ptmKey) throw new Error('the network has no managers');
  const urls = [first.rpc, second.rpc] as const;
  const senders = new TokenSenders({ rpc: first.rpc, manager: first.ptm }, second.ptmKey);
  const receipts = await ReceiptTimes.open(urls);
  let count = 0;
  const token = await senders.deploy('private', (hash) => {
    count += 1;
    receipts.add(hash, performance.now());
  });
  await receipts.until(count);
  return { linked, folder, senders, urls, token, restMs: 0 };
}

/** A round with both nodes started anew. What was not stated before is stated first. */
async function measure(bench: Bench, mode: Mode): Promise<Round> {
  const { nodes } = bench.linked.network;
  for (const node of nodes) {
    await node.stop();
    node.replaceOption('--state-results', String(mode === 'on'));
    await node.start();
  }
  const rest = async () => {
    if (mode === 'on') bench.restMs = await untilAgreed(nodes, AGREED_MS);
    else await new Promise((done) => setTimeout(done, bench.restMs));
  };
  await send(bench, WARM_UP_MS);
  await rest();
  const before = await cpuOf(bench);
  const { rate, count } = await send(bench, ROUND_MS);
  await rest();
  const cpu = cpuPer(count, before, await cpuOf(bench));
  return { rate, cpu, ...(await costsOfBlock(bench, rest)) };
}

const cpuOf = ({ linked, folder }: Bench) => cpuByProcess({ network: linked.network, folder }, PROCESSES);

/** What each process used for one of so many. */
function cpuPer(count: number, before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  return new Map([...cpuBetween(before, after)].map(([name, seconds]) => [name, seconds / count]));
}

/** Without the load. */
function allOf(cpu: ReadonlyMap<string, number>): number {
  return [...cpu].reduce((sum, [name, seconds]) => sum + (name === 'load' ? 0 : seconds), 0);
}

async function send(bench: Bench, durationMs: number): Promise<{ rate: number; count: number }> {
  const receipts = await ReceiptTimes.open(bench.urls);
  const started = performance.now();
  let count = 0;
  const work = async () => {
    while (performance.now() - started < durationMs) await transfer(bench, receipts, count++);
  };
  await receipts.untilAll(Promise.all(Array.from({ length: CONNECTIONS }, work)));
  return { rate: count / ((performance.now() - started) / 1_000), count };
}

const transfer = ({ senders, token }: Bench, receipts: ReceiptTimes, index: number) =>
  senders.transfer('private', token, index, (hash) => receipts.add(hash, performance.now()));

/** Blocks with one transfer, one after the other: payload, statements, and what nodes and managers do anyway. */
async function costsOfBlock(
  bench: Bench,
  rest: () => Promise<void>,
): Promise<Pick<Round, 'blockBytes' | 'blockCpu'>> {
  const bytes = () => bench.linked.managerLinks.reduce((sum, link) => sum + link.bytes, 0);
  const [bytesBefore, cpuBefore] = [bytes(), await cpuOf(bench)];
  for (let index = 0; index < SINGLE_BLOCKS; index += 1) {
    const receipts = await ReceiptTimes.open(bench.urls);
    await transfer(bench, receipts, index);
    await receipts.until(1);
  }
  await rest();
  return {
    blockBytes: (bytes() - bytesBefore) / SINGLE_BLOCKS,
    blockCpu: allOf(cpuPer(SINGLE_BLOCKS, cpuBefore, await cpuOf(bench))),
  };
}

function report(rounds: Record<Mode, Round[]>): BenchResult {
  const all = (mode: Mode, of: (round: Round) => number) => rounds[mode].map(of);
  const pairs = (of: (on: Round, off: Round) => number) =>
    rounds.on.map((on, index) => of(on, rounds.off[index] as Round));
  const cpuMs = ({ cpu }: Round) => 1_000 * allOf(cpu);
  const [on, off] = MODES.map((mode) => median(all(mode, cpuMs))) as [number, number];
  const blockBytes = median(pairs((one, other) => one.blockBytes - other.blockBytes)) / 1_000;
  return {
    name: 'agreement',
    comparisons: [
      {
        what: 'private transfers whose results are stated',
        unit: 'tx/s',
        peerName: 'without stating them',
        ours: median(all('on', ({ rate }) => rate)),
        peer: median(all('off', ({ rate }) => rate)),
        ratio: median(pairs((one, other) => one.rate / other.rate)),
        target: { bound: 0.9, side: 'atLeast' },
      },
      {
        what: 'CPU of a transfer, all processes',
        unit: 'ms',
        peerName: 'without stating them',
        ours: on,
        peer: off,
        ratio: median(pairs((one, other) => cpuMs(one) / cpuMs(other))),
        target: { bound: 1.1, side: 'atMost' },
      },
      {
        what: 'network of statements, a block and pair',
        unit: 'kB',
        peerName: 'limit',
        ours: blockBytes,
        peer: 4,
        ratio: blockBytes / 4,
        target: { bound: 1, side: 'atMost' },
      },
    ],
    figures: MODES.flatMap((mode) => figuresOf(mode, rounds[mode])),
  };
}

function figuresOf(mode: Mode, rounds: readonly Round[]): Figure[] {
  const names = [...(rounds[0]?.cpu.keys() ?? [])];
  const cpu = names.map((name) => {
    const ms = 1_000 * median(rounds.map((round) => round.cpu.get(name) ?? 0));
    return `${name} ${ms.toFixed(2)}`;
  });
  const list = (of: (round: Round) => number) => rounds.map((round) => of(round).toFixed(0)).join(' ');
  return [
    { what: `${mode}: transfers a second`, value: list(({ rate }) => rate) },
    { what: `${mode}: CPU of a transfer, ms`, value: cpu.join(', ') },
    { what: `${mode}: CPU of a block with one, ms`, value: list(({ blockCpu }) => 1_000 * blockCpu) },
    { what: `${mode}: bytes of a block with one`, value: list(({ blockBytes }) => blockBytes) },
  ];
}
