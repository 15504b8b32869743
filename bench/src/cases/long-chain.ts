import { join } from 'node:path';
import { createDatabase } from '@tetrad/db';
import { ROOT } from '@tetrad/devnet';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { startChildService } from '@tetrad/testkit';
import { callRpc } from '../call-rpc.js';
import { startNode, type BenchNode } from '../peers.js';
import { processCpu } from '../process-cpu.js';
import { median, type BenchResult, type Comparison } from '../report/result.js';
import { runBuilt } from './measuring-program.js';

/** Blocks of the long chain; TETRAD_BENCH_BLOCKS sets another number. */
const DEFAULT_BLOCKS = 100_000;
const SHORT_BLOCKS = 1;
const TURNS = 5;
const MAX_SECONDS = 2;
const POLL_MS = 10;

/** A start of a process on a chain until it serves the head. Units: seconds */
interface Started {
  readonly served: number;
  readonly cpu: number;
}

/** The start of a node on a chain of 100,000 empty blocks, in turns with its start on a chain of one. */
export async function longChain(): Promise<BenchResult> {
  const blocks = Number(process.env['TETRAD_BENCH_BLOCKS'] ?? DEFAULT_BLOCKS);
  const node = await startNode();
  try {
    // Its files are used; the chains are in databases of their own.
    await firstOf(node).stop();
    const server = await startEmbeddedPostgres({ dataDir: join(node.folder, 'chain-postgres') });
    try {
      const database = (name: string) => createDatabase(server.url('postgres'), name);
      const short = await writeChain(node, await database('short'), SHORT_BLOCKS);
      const long = await writeChain(node, await database('long'), blocks);
      const starts = await startInTurns(node, { short, long, blocks });
      return report(blocks, starts);
    } finally {
      await server.stop();
    }
  } finally {
    await node.stop();
  }
}

interface Starts {
  readonly short: readonly Started[];
  readonly long: readonly Started[];
}

/**
 * @param chains.short - URLs of the databases
 * @param chains.long - URLs of the databases
 */
async function startInTurns(
  node: BenchNode,
  chains: { readonly short: string; readonly long: string; readonly blocks: number },
): Promise<Starts> {
  const [short, long]: [Started[], Started[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    short.push(await startOn(node, chains.short, SHORT_BLOCKS));
    long.push(await startOn(node, chains.long, chains.blocks));
  }
  return { short, long };
}

function firstOf({ network: { nodes } }: BenchNode) {
  const [first] = nodes;
  if (first === undefined) throw new Error('the network has no node');
  return first;
}

/** @returns the URL */
async function writeChain(node: BenchNode, url: string, blocks: number): Promise<string> {
  const { startCommand, files } = firstOf(node);
  const genesisFile = startCommand.args[startCommand.args.indexOf('--genesis-file') + 1] ?? '';
  const app = join(ROOT, 'apps/node');
  process.stderr.write(`  writing ${blocks} blocks\n`);
  await runBuilt({
    entry: join(app, 'test/speed/write-empty-blocks.ts'),
    program: join(app, 'dist/speed/write-empty-blocks.js'),
    words: [url, genesisFile, files.nodeKeyFile, String(blocks)],
  });
  return url;
}

async function startOn(node: BenchNode, databaseUrl: string, head: number): Promise<Started> {
  const { command, args, environment } = firstOf(node).startCommand;
  let cpu = 0;
  let served = 0;
  const from = performance.now();
  const child = await startChildService({
    name: 'node',
    command,
    args,
    logFile: join(node.folder, 'long-chain.log'),
    environment: { ...environment, TETRAD_NODE_DATABASE_URL: databaseUrl },
    isReady: async (pid) => {
      if (!(await servesHead(node.url, head))) return false;
      served = (performance.now() - from) / 1_000;
      cpu = await processCpu(pid);
      return true;
    },
  });
  await child.stop();
  return { served, cpu };
}

/** Asks for as long as a start may take, more often than the start itself would. */
async function servesHead(url: string, head: number): Promise<boolean> {
  for (let asked = 0; asked < 1_000; asked += 1) {
    const block = await callRpc(url, 'eth_getBlockByNumber', ['latest', false]).catch(() => undefined);
    if (block !== undefined) return Number((block as { number: string }).number) >= head;
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  }
  return false;
}

function report(blocks: number, { short, long }: Starts): BenchResult {
  const middle = (starts: readonly Started[], of: keyof Started) => median(starts.map((one) => one[of]));
  const compared = (what: string, of: keyof Started): Comparison => {
    const [ours, peer] = [middle(long, of), middle(short, of)];
    return {
      what,
      unit: 's',
      ours,
      peer,
      peerName: `a chain of ${SHORT_BLOCKS}`,
      ratio: ours / peer,
      target: { bound: 1.15, side: 'atMost' },
    };
  };
  const served = middle(long, 'served');
  return {
    name: 'long-chain',
    comparisons: [
      {
        what: `head of ${blocks} blocks served`,
        unit: 's',
        ours: served,
        peer: MAX_SECONDS,
        peerName: `${MAX_SECONDS} s`,
        ratio: served / MAX_SECONDS,
        target: { bound: 1, side: 'atMost' },
      },
      compared('time of the start', 'served'),
      compared('CPU of the start', 'cpu'),
    ],
    figures: [
      { what: 'long chain', value: long.map((one) => `${one.served.toFixed(2)} s`).join(', ') },
      { what: 'short chain', value: short.map((one) => `${one.served.toFixed(2)} s`).join(', ') },
    ],
  };
}
