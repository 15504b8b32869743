import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@tetrad/db';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { exportChain } from '../importing/chain-file.js';
import { goquorumGenesis } from '../importing/goquorum-genesis.js';
import { firstNode, genesisFile, runImport, runProgram, type EndedProgram } from '../importing/import-run.js';
import { LoadMaker, deployToken, measureLoad } from '../load.js';
import { startNode, type BenchNode } from '../peers.js';
import { databaseCpu } from '../process-cpu.js';
import { median, type BenchResult, type Comparison, type Figure } from '../report/result.js';

/** Transactions of the chain, half of them transfers and half token transfers; TETRAD_BENCH_TRANSACTIONS sets another number. */
const DEFAULT_TRANSACTIONS = 24_000;
const BATCH = 1_000;
const ROUNDS = 5;
/** Nothing is pruned, as our node keeps all states by default. */
const ARCHIVE = ['--gcmode', 'archive', '--syncmode', 'full'];

interface Run {
  readonly seconds: number;
  /** All processes. */
  readonly cpu: number;
  /** The largest that was seen. Units: MB */
  readonly memory: number;
}

/**
 * Imports one file of blocks with our node and with `geth import` of GoQuorum, in turns.
 *
 * @throws Error when TETRAD_GETH does not name GoQuorum's program `geth`, which is not part of this repository
 */
export async function gethImport(): Promise<BenchResult> {
  const geth = process.env['TETRAD_GETH'];
  if (geth === undefined) throw new Error('TETRAD_GETH: must name the program geth of GoQuorum 24.4');
  const transactions = Number(process.env['TETRAD_BENCH_TRANSACTIONS'] ?? DEFAULT_TRANSACTIONS);
  // GoQuorum knows no newer fork.
  const node = await startNode({ words: ['--fork', 'berlin'] });
  try {
    await sendAll(node.url, transactions);
    const file = join(node.folder, 'blocks.rlp');
    const head = await exportChain(node.url, file);
    await firstNode(node).first.stop();
    const [ours, theirs] = await inTurns(node, { geth, file, head });
    return describe({ transactions, head, ours, theirs });
  } finally {
    await node.stop();
  }
}

async function sendAll(url: string, transactions: number): Promise<void> {
  const { token, nonces } = await deployToken(url);
  const maker = new LoadMaker(nonces);
  for (let sent = 0; sent < transactions; sent += 2 * BATCH) {
    await measureLoad(url, maker.transfers(BATCH), maker.reached());
    await measureLoad(url, maker.tokenTransfers(BATCH, token), maker.reached());
  }
}

interface Chain {
  /** Path of the program. */
  readonly geth: string;
  readonly file: string;
  readonly head: number;
}

async function inTurns(node: BenchNode, chain: Chain): Promise<[Run[], Run[]]> {
  const folder = join(node.folder, 'import');
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  const [ours, theirs]: [Run[], Run[]] = [[], []];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const url = await createDatabase(server.url('postgres'), `round_${round}`);
      const before = await databaseCpu(folder);
      const ended = await runImport(node, { file: chain.file, url });
      ours.push(runOf(ended, (await databaseCpu(folder)) - before));
      theirs.push(await runGeth(node, chain, join(folder, `geth-${round}`)));
      process.stderr.write(`  ${JSON.stringify([ours.at(-1), theirs.at(-1)])}\n`);
    }
    return [ours, theirs];
  } finally {
    await server.stop();
  }
}

/** @param databaseSeconds - CPU of processes beside that of the import */
function runOf({ seconds, cpu, memory }: EndedProgram, databaseSeconds = 0): Run {
  return { seconds, cpu: cpu + databaseSeconds, memory: Math.max(0, ...memory) };
}

async function runGeth(node: BenchNode, { geth, file, head }: Chain, folder: string): Promise<Run> {
  const genesis = JSON.parse(await readFile(genesisFile(node), 'utf8')) as Record<string, unknown>;
  const path = join(node.folder, 'goquorum-genesis.json');
  await writeFile(path, JSON.stringify(goquorumGenesis(genesis)));
  const data = ['--datadir', folder];
  await runProgram(geth, [...data, 'init', path]);
  const ended = await runProgram(geth, [...data, ...ARCHIVE, 'import', file]);
  const imported = [...ended.log.matchAll(/Imported new chain segment .*?number=([\d,]+)/g)].at(-1)?.[1];
  if (Number(imported?.replaceAll(',', '')) !== head)
    throw new Error(`geth imported up to block ${imported} of ${head}: ${ended.log}`);
  await rm(folder, { recursive: true });
  return runOf(ended);
}

interface Measured {
  readonly transactions: number;
  readonly head: number;
  readonly ours: readonly Run[];
  readonly theirs: readonly Run[];
}

function describe({ transactions, head, ours, theirs }: Measured): BenchResult {
  const middle = (runs: readonly Run[], field: keyof Run) => median(runs.map((run) => run[field]));
  const rate = (runs: readonly Run[]) => transactions / middle(runs, 'seconds');
  const comparison = (what: string, unit: string, own: number, peer: number) => {
    return { what, unit, ours: own, peer, peerName: 'geth import', ratio: own / peer };
  };
  const comparisons: readonly Comparison[] = [
    {
      ...comparison('transactions imported', 'tx/s', rate(ours), rate(theirs)),
      target: { bound: 1, side: 'atLeast' },
    },
    {
      ...comparison('CPU of all processes', 's', middle(ours, 'cpu'), middle(theirs, 'cpu')),
      target: { bound: 1, side: 'atMost' },
    },
  ];
  const memory = (runs: readonly Run[]) => `${middle(runs, 'memory').toFixed(0)} MB`;
  const figures: readonly Figure[] = [
    { what: 'chain', value: `${transactions} transfers in ${head} blocks, ${ROUNDS} rounds in turns` },
    { what: 'memory of the process', value: `${memory(ours)}, geth ${memory(theirs)}` },
  ];
  return { name: 'geth-import', comparisons, figures };
}
