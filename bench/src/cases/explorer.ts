import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@tetrad/db';
import { ROOT } from '@tetrad/devnet';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { startChildService } from '@tetrad/testkit';
import { callRpc } from '../call-rpc.js';
import { startNode, type BenchNode } from '../peers.js';
import { median, type BenchResult } from '../report/result.js';
import { measureBytes } from './explorer-bytes.js';
import { measureImports } from './explorer-import.js';
import { runBuilt } from './measuring-program.js';

/** Transactions of the chain; TETRAD_BENCH_TRANSACTIONS sets another number, of which a fiftieth is the account's. */
const DEFAULT_TRANSACTIONS = 5_000_000;
const SHARE = 50;
const OF_BLOCK = 1_000;
const PAGE_SIZE = 25;
const PAGES = 60;
const MAX_MS = 50;

interface Written {
  readonly account: string;
  readonly head: number;
}

/** What a part of the bench gives. */
type Measured = Pick<BenchResult, 'comparisons' | 'figures'>;

/** Units: ms; the first page of the process is the first one. */
interface Asked {
  readonly pages: readonly number[];
  /** Of requests that read nothing, in turns with the pages: what the host takes for any. */
  readonly nothing: readonly number[];
}

/**
 * A page of the history of an account with 100,000 among 5,000,000 transactions, asked over HTTP at places of the whole chain; what an
 * index costs an import, and its bytes.
 */
export async function explorer(): Promise<BenchResult> {
  const transactions = Number(process.env['TETRAD_BENCH_TRANSACTIONS'] ?? DEFAULT_TRANSACTIONS);
  const parts = transactions === 0 ? [] : [await measurePages(transactions)];
  parts.push(await measureImports(), await measureBytes());
  return {
    name: 'explorer',
    comparisons: parts.flatMap(({ comparisons }) => comparisons),
    figures: parts.flatMap(({ figures }) => figures),
  };
}

async function measurePages(transactions: number): Promise<Measured> {
  const node = await startNode();
  try {
    const [first] = node.network.nodes;
    if (first === undefined) throw new Error('the network has no node');
    await first.stop();
    const server = await startEmbeddedPostgres({ dataDir: join(node.folder, 'chain-postgres') });
    try {
      const url = await createDatabase(server.url('postgres'), 'explorer');
      const written = await writeChain(node, url, transactions);
      return report(transactions, await askPages(node, url, written));
    } finally {
      await server.stop();
    }
  } finally {
    await node.stop();
  }
}

async function writeChain(node: BenchNode, url: string, transactions: number): Promise<Written> {
  const { startCommand, files } = node.network.nodes[0] as (typeof node.network.nodes)[number];
  const genesisFile = startCommand.args[startCommand.args.indexOf('--genesis-file') + 1] ?? '';
  const file = join(node.folder, 'written.json');
  const run = (name: string, words: readonly string[]) =>
    runBuilt({
      entry: join(ROOT, 'apps/node/test/speed', `${name}.ts`),
      program: join(ROOT, 'apps/node/dist/speed', `${name}.js`),
      words,
    });
  const blocks = Math.ceil(transactions / OF_BLOCK);
  process.stderr.write(`  writing ${blocks} blocks and ${transactions} transactions\n`);
  await run('write-empty-blocks', [url, genesisFile, files.nodeKeyFile, String(blocks)]);
  await run('write-account-history', [url, String(transactions), String(transactions / SHARE), file]);
  return JSON.parse(await readFile(file, 'utf8')) as Written;
}

async function askPages(node: BenchNode, url: string, { account, head }: Written): Promise<Asked> {
  const { command, args, environment } = (node.network.nodes[0] as (typeof node.network.nodes)[number])
    .startCommand;
  const child = await startChildService({
    name: 'node',
    command,
    args: [...args, '--address-index', 'true'],
    logFile: join(node.folder, 'explorer.log'),
    environment: { ...environment, TETRAD_NODE_DATABASE_URL: url },
    isReady: () => callRpc(node.url, 'ots_getApiLevel', []).then(Boolean, () => false),
  });
  try {
    const pages: number[] = [];
    const nothing: number[] = [];
    for (let page = 0; page < PAGES; page += 1) {
      // 0 is the newest page; the others are spread over the chain, so that no block is asked for twice.
      const before = page === 0 ? 0 : head - Math.floor((head * ((page * 37) % PAGES)) / PAGES);
      const from = performance.now();
      const answer = await callRpc(node.url, 'ots_searchTransactionsBefore', [account, before, PAGE_SIZE]);
      pages.push(performance.now() - from);
      const { txs } = answer as { readonly txs: readonly unknown[] };
      if (txs.length < PAGE_SIZE && page === 0) throw new Error(`the page has ${txs.length} transactions`);
      const next = performance.now();
      await callRpc(node.url, 'eth_chainId', []);
      nothing.push(performance.now() - next);
    }
    return { pages, nothing };
  } finally {
    await child.stop();
  }
}

function report(transactions: number, { pages, nothing }: Asked): Measured {
  const ours = median(pages);
  const sorted = [...pages].sort((one, other) => one - other);
  return {
    comparisons: [
      {
        what: `a page of ${PAGE_SIZE} of ${transactions / SHARE} among ${transactions} transactions`,
        unit: 'ms',
        ours,
        peer: MAX_MS,
        peerName: `${MAX_MS} ms`,
        ratio: ours / MAX_MS,
        target: { bound: 1, side: 'atMost' },
      },
    ],
    figures: [
      { what: 'the first page of the process', value: `${pages[0]?.toFixed(1)} ms` },
      {
        what: 'nine of ten pages within',
        value: `${sorted[Math.floor(sorted.length * 0.9)]?.toFixed(1)} ms`,
      },
      { what: 'a request that reads nothing', value: `${median(nothing).toFixed(1)} ms` },
      { what: 'the slowest', value: `${sorted.at(-1)?.toFixed(1)} ms` },
    ],
  };
}
