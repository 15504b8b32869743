import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '@tetrad/db';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { callRpc } from '../call-rpc.js';
import { LoadMaker, measureLoad } from '../load.js';
import { residentMemory } from '../node-metrics.js';
import { startNode, type BenchNode } from '../peers.js';
import type { BenchResult, Comparison } from '../report/result.js';

/** Blocks of the chain; TETRAD_BENCH_BLOCKS sets another number, such as 100000. */
const DEFAULT_BLOCKS = 20_000;
const BATCH = 500;
const READ_TOGETHER = 100;
const SAMPLE_MS = 500;

interface ImportRun {
  readonly seconds: number;
  /** Resident memory of the process, sampled at even intervals. Units: MB */
  readonly memory: readonly number[];
}

/**
 * Imports a generated chain from a file, against executing the stored chain again without storing it, and against an
 * import that commits every block. GoQuorum's own import is not measured: its binary is not part of this repository.
 */
export async function importChain(): Promise<BenchResult> {
  const wanted = Number(process.env['TETRAD_BENCH_BLOCKS'] ?? DEFAULT_BLOCKS);
  const node = await startNode({ blockPeriodMs: 10 });
  try {
    const transactions = await growChain(node.url, wanted);
    const file = join(node.folder, 'blocks.rlp');
    const blocks = await exportChain(node.url, file);
    const executed = await verifyAgain(node);
    const server = await startEmbeddedPostgres({ dataDir: join(node.folder, 'import-postgres') });
    try {
      const database = (name: string) => createDatabase(server.url('postgres'), name);
      const grouped = await runImport(node, { file, url: await database('grouped'), commitBlocks: 256 });
      const single = await runImport(node, { file, url: await database('single'), commitBlocks: 1 });
      return describe({ blocks, transactions, executed, grouped, single });
    } finally {
      await server.stop();
    }
  } finally {
    await node.stop();
  }
}

/**
 * Sends transactions until the chain is long enough.
 * @returns how many
 */
async function growChain(url: string, wanted: number): Promise<number> {
  const maker = new LoadMaker();
  for (let transactions = 0; ; transactions += BATCH) {
    const head = Number(await callRpc(url, 'eth_blockNumber', []));
    if (head >= wanted) return transactions;
    process.stderr.write(`\r  ${head}/${wanted} blocks`);
    await measureLoad(url, maker.transfers(BATCH), maker.reached());
  }
}

/**
 * Writes the blocks as `geth export` does.
 * @returns how many after block 0
 */
async function exportChain(url: string, file: string): Promise<number> {
  const head = Number(await callRpc(url, 'eth_blockNumber', []));
  const out = createWriteStream(file);
  for (let from = 0; from <= head; from += READ_TOGETHER) {
    const numbers = Array.from({ length: Math.min(READ_TOGETHER, head + 1 - from) }, (_, at) => from + at);
    const raws = await Promise.all(
      numbers.map((number) => callRpc(url, 'debug_getRawBlock', [`0x${number.toString(16)}`])),
    );
    for (const raw of raws) out.write(Buffer.from(String(raw).slice(2), 'hex'));
    if (out.writableNeedDrain) await once(out, 'drain');
  }
  await new Promise<void>((done) => out.end(done));
  return head;
}

/** Stops the node and executes its chain. Units: seconds */
async function verifyAgain({ network }: BenchNode): Promise<number> {
  const { first, command, args, environment } = stoppable(network);
  await first.stop();
  const from = performance.now();
  await promisify(execFile)(command, [...args], { env: { ...process.env, ...environment } });
  return (performance.now() - from) / 1000;
}

function stoppable(network: BenchNode['network']) {
  const [first] = network.nodes;
  if (first === undefined) throw new Error('the network has no node');
  return { first, ...first.verifyCommand };
}

async function runImport(
  node: BenchNode,
  { file, url, commitBlocks }: { readonly file: string; readonly url: string; readonly commitBlocks: number },
): Promise<ImportRun> {
  const { command, args } = stoppable(node.network);
  const [main = ''] = args;
  const genesisFile = args[args.indexOf('--genesis-file') + 1] ?? '';
  const flags = ['--genesis-file', genesisFile, '--data-dir', node.folder, '--migrate', 'true'];
  const words = ['import-chain', file, ...flags, '--commit-blocks', String(commitBlocks)];
  const from = performance.now();
  const child = spawn(command, [main, ...words], {
    env: { ...process.env, TETRAD_NODE_DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const memory: number[] = [];
  const timer = setInterval(() => {
    void residentMemory(child.pid ?? 0).then((bytes) => bytes && memory.push(bytes / 1e6));
  }, SAMPLE_MS);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`the import ended with exit code ${code}`);
  return { seconds: (performance.now() - from) / 1000, memory };
}

interface Measured {
  readonly blocks: number;
  readonly transactions: number;
  /** Units: seconds */
  readonly executed: number;
  readonly grouped: ImportRun;
  readonly single: ImportRun;
}

function describe({ blocks, transactions, executed, grouped, single }: Measured): BenchResult {
  const rate = (peerName: string, seconds: number, bound: number): Comparison => ({
    what: 'blocks imported',
    unit: 'blocks/s',
    peerName,
    ours: blocks / grouped.seconds,
    peer: blocks / seconds,
    ratio: seconds / grouped.seconds,
    target: { bound, side: 'atLeast' },
  });
  // The first fifth fills the caches.
  const fifth = (part: number) => average(grouped.memory, part / 5, (part + 1) / 5);
  const [early, late] = [fifth(1), fifth(4)];
  return {
    name: 'import',
    comparisons: [
      rate('executing the stored chain again', executed, 0.5),
      rate('a commit for every block', single.seconds, 1),
      {
        what: 'memory in the last fifth',
        unit: 'MB',
        ours: late,
        peer: early,
        ratio: late / early,
        peerName: 'in the second fifth',
        target: { bound: 1.3, side: 'atMost' },
      },
    ],
    figures: [
      { what: 'chain', value: `${blocks} blocks, ${transactions} transactions` },
      { what: 'transactions imported', value: `${Math.round(transactions / grouped.seconds)} a second` },
    ],
  };
}

function average(values: readonly number[], from: number, to: number): number {
  const part = values.slice(Math.floor(values.length * from), Math.floor(values.length * to));
  return part.reduce((sum, value) => sum + value, 0) / part.length;
}
