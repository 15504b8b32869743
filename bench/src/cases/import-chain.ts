import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '@tetrad/db';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { callRpc } from '../call-rpc.js';
import { exportChain } from '../importing/chain-file.js';
import { firstNode, runImport, type EndedProgram } from '../importing/import-run.js';
import { LoadMaker, measureLoad } from '../load.js';
import { startNode, type BenchNode } from '../peers.js';
import type { BenchResult, Comparison } from '../report/result.js';

/** Blocks of the chain; TETRAD_BENCH_BLOCKS sets another number, such as 100000. */
const DEFAULT_BLOCKS = 20_000;
const BATCH = 500;

/**
 * Imports a generated chain from a file, against executing the stored chain again without storing it, and against an
 * import that commits every block. GoQuorum's own import is in `geth-import.ts`.
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

/** Stops the node and executes its chain. Units: seconds */
async function verifyAgain(node: BenchNode): Promise<number> {
  const { first, command, args, environment } = firstNode(node);
  await first.stop();
  const from = performance.now();
  await promisify(execFile)(command, [...args], { env: { ...process.env, ...environment } });
  return (performance.now() - from) / 1000;
}

interface Measured {
  readonly blocks: number;
  readonly transactions: number;
  /** Units: seconds */
  readonly executed: number;
  readonly grouped: EndedProgram;
  readonly single: EndedProgram;
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
