import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callRpc } from '../call-rpc.js';
import { fillPermissions } from '../permission-filling.js';
import { startNode, startRows, type BenchNode } from '../peers.js';
import { processCpu } from '../process-cpu.js';
import { median, type BenchResult, type Comparison, type Figure } from '../report/result.js';

const COUNTS = { orgs: 1_000, roles: 1_000, accounts: 10_000 };
const LISTS = ['orgList', 'nodeList', 'roleList', 'acctList'] as const;
/** Reads of each list from the node and from the bare server, in turns. */
const READS = 30;
const STARTS = 3;
const MOST_TIMES = 5;
const ENTRIES_PER_SECOND = 5_000;

/** A permissioned network with many members: its lists, against a bare server with the same rows; the start of a node. */
export async function permissions(): Promise<BenchResult> {
  const node = await startNode({ blockPeriodMs: 500, words: ['--permissioned'] });
  try {
    await fillPermissions(node, COUNTS);
    const lists: Comparison[] = [];
    for (const list of LISTS) lists.push(await compareList(node, list));
    const start = await measureStart(node);
    return { name: 'permissions', comparisons: [...lists, start.comparison], figures: start.figures };
  } finally {
    await node.stop();
  }
}

async function compareList(node: BenchNode, list: string): Promise<Comparison> {
  const method = `chainPermission_${list}`;
  const rows = (await callRpc(node.url, method, [])) as readonly unknown[];
  const file = join(node.folder, `${list}.json`);
  await writeFile(file, JSON.stringify(rows));
  const bare = await startRows(file);
  try {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let read = 0; read < READS; read++) {
      ours.push(await timeOf(() => callRpc(node.url, method, [])));
      theirs.push(await timeOf(() => callRpc(bare.url, method, [])));
    }
    return {
      ...{ what: `${list} of ${rows.length} rows`, unit: 'ms', peerName: 'a bare server with the rows' },
      ...{ ours: median(ours), peer: median(theirs), ratio: median(ours) / median(theirs) },
      target: { bound: MOST_TIMES, side: 'atMost' },
    };
  } finally {
    await bare.stop();
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

interface RecordsRead {
  readonly orgs: number;
  readonly roles: number;
  readonly nodes: number;
  readonly accounts: number;
  readonly seconds: number;
}

/** Reading the records from the contracts in a new process, as its log says. */
async function measureStart({
  network,
  folder,
}: BenchNode): Promise<{ comparison: Comparison; figures: Figure[] }> {
  const [first] = network.nodes as readonly [BenchNode['network']['nodes'][number]];
  const [rates, cpu]: [number[], number[]] = [[], []];
  let entries = 0;
  for (let start = 0; start < STARTS; start++) {
    await first.stop();
    await first.start();
    cpu.push(await processCpu(first.pid));
    const { orgs, roles, nodes, accounts, seconds } = await lastRead(join(folder, `${first.files.name}.log`));
    entries = orgs + roles + nodes + accounts;
    rates.push(entries / seconds);
  }
  const rate = median(rates);
  return {
    comparison: {
      ...{ what: 'entries read at the start', unit: '/s', peerName: 'what is required' },
      ...{ ours: rate, peer: ENTRIES_PER_SECOND, ratio: rate / ENTRIES_PER_SECOND },
      target: { bound: 1, side: 'atLeast' },
    },
    figures: [
      { what: 'entries', value: String(entries) },
      { what: 'CPU of a node until it is ready', value: cpu.map((one) => `${one.toFixed(1)} s`).join(', ') },
    ],
  };
}

async function lastRead(logFile: string): Promise<RecordsRead> {
  const lines = (await readFile(logFile, 'utf8')).split('\n');
  const line = lines.findLast((text) => text.includes('permission records read from the contracts'));
  if (line === undefined) throw new Error('the node has not read its permission records');
  return JSON.parse(line) as RecordsRead;
}
