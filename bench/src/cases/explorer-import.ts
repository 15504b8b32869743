import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@tetrad/db';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { callRpc } from '../call-rpc.js';
import { metricOf } from '../node-metrics.js';
import { databaseCpu, processCpu } from '../process-cpu.js';
import { median, type Comparison, type Figure } from '../report/result.js';
import { VALIDATOR_KEY, heightOf, startOnChain, writeChain, type WrittenChain } from '../written-chain.js';

/** The chain that is imported: a third of its transactions call a contract. TETRAD_BENCH_IMPORTED sets another number of blocks. */
const SIZE = {
  blocks: Number(process.env['TETRAD_BENCH_IMPORTED'] ?? 1_500),
  accounts: 0,
  contracts: 0,
  slots: 0,
  transactions: 100,
};
/** Imports of each kind, in turns. */
const TURNS = 2;
/** Part of the import's rate that the index may cost. */
const MAX_COST = 0.15;
const POLL_MS = 100;

/** What an import took; CPU in seconds. */
interface Imported {
  readonly seconds: number;
  /** Of the node's process, until the last block was imported. */
  readonly cpu: number;
  /** The same of PostgreSQL, which two nodes share. */
  readonly databaseCpu: number;
  /** Until all of it was in the index as well, and the CPU of that. */
  readonly indexed: { readonly seconds: number; readonly cpu: number };
}

/** A node imports a chain from a peer and executes it, with and without an index by address, in turns. */
export async function measureImports(): Promise<{ comparisons: Comparison[]; figures: Figure[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-index-'));
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  try {
    const database = (name: string) => createDatabase(server.url('postgres'), name);
    const into = { folder, url: await database('chain'), genesisFile: join(folder, 'genesis.json') };
    const chain = await writeChain(into, SIZE);
    const found: Record<'with' | 'without', Imported[]> = { with: [], without: [] };
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const kind of turn % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
        const run = { name: `${kind}-${turn}`, hasIndex: kind === 'with' };
        found[kind].push(await importOnce(chain, await database(`${kind}_${turn}`), run));
      }
    return report(found);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function importOnce(
  chain: WrittenChain,
  databaseUrl: string,
  { name, hasIndex }: { readonly name: string; readonly hasIndex: boolean },
): Promise<Imported> {
  const serving = await startOnChain(chain, chain.url, {
    name: `serving-${name}`,
    key: VALIDATOR_KEY,
    flags: [],
  });
  try {
    const { enode } = (await callRpc(serving.url, 'admin_nodeInfo', [])) as { enode: string };
    const databaseBefore = await databaseCpu(chain.folder);
    const began = performance.now();
    process.stderr.write(`  importing ${name}\n`);
    const flags = ['--sync', 'full', '--peers', enode, '--address-index', String(hasIndex)];
    const node = await startOnChain(chain, databaseUrl, { name, key: '51'.repeat(32), flags });
    try {
      const seconds = () => (performance.now() - began) / 1_000;
      await until(async () => ((await heightOf(node.url)) ?? 0) >= SIZE.blocks);
      const imported = {
        seconds: seconds(),
        cpu: await processCpu(node.process.pid),
        databaseCpu: (await databaseCpu(chain.folder)) - databaseBefore,
      };
      if (hasIndex) await until(async () => (await indexedBlock(node.url)) >= SIZE.blocks);
      return { ...imported, indexed: { seconds: seconds(), cpu: await processCpu(node.process.pid) } };
    } finally {
      await node.process.stop();
    }
  } finally {
    await serving.process.stop();
  }
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  while (!(await isReached())) await new Promise((tick) => setTimeout(tick, POLL_MS));
}

/** The last block in the index: `startOnChain` puts the metrics behind the port of clients. */
async function indexedBlock(url: string): Promise<number> {
  const { port } = new URL(url);
  return metricOf(`http://127.0.0.1:${Number(port) + 1}`, 'node_address_index_block');
}

function report({ with: ours, without: peer }: Record<'with' | 'without', Imported[]>) {
  const transactions = SIZE.blocks * SIZE.transactions;
  const rate = (runs: readonly Imported[]) => transactions / median(runs.map(({ seconds }) => seconds));
  const compare = (
    what: string,
    unit: string,
    [with_, without]: readonly [number, number],
    bound: number,
    side: 'atLeast' | 'atMost',
  ) => ({
    what,
    unit,
    ours: with_,
    peer: without,
    peerName: 'without the index',
    ratio: with_ / without,
    target: { bound, side },
  });
  const of = (read: (run: Imported) => number) => [median(ours.map(read)), median(peer.map(read))] as const;
  const show = (name: string, run: readonly Imported[]): Figure => ({
    what: `imports ${name} the index: seconds, CPU of the node, CPU of PostgreSQL`,
    value: run
      .map((one) => [one.seconds, one.cpu, one.databaseCpu].map((n) => n.toFixed(1)).join(' '))
      .join('; '),
  });
  return {
    comparisons: [
      compare(
        `import of ${transactions} transactions with an index by address`,
        'tx/s',
        [rate(ours), rate(peer)],
        1 - MAX_COST,
        'atLeast',
      ),
      compare(
        'CPU of the node meanwhile',
        's',
        of(({ cpu }) => cpu),
        1 + MAX_COST,
        'atMost',
      ),
    ],
    figures: [
      show('with', ours),
      show('without', peer),
      {
        what: 'all of it in the index after',
        value: ours
          .map(({ indexed }) => `${indexed.seconds.toFixed(1)} s, CPU ${indexed.cpu.toFixed(1)} s`)
          .join('; '),
      },
    ],
  };
}
