import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { median, type BenchResult } from '../report/result.js';
import { runBuilt } from './measuring-program.js';

const LIBRARY = join(ROOT, 'libs/node/chain/address-index');
const RUNS = 3;
/** Bytes of the index for a transaction. */
const MAX_BYTES = 120;
/** What is filled: blocks, transactions of a block, accounts. In the first, each account has three transactions and a row of its own. */
const CHAINS = [
  [300, 100, 20_000],
  [10_000, 5, 200],
] as const;

interface Filled {
  readonly transactions: number;
  readonly bytes: number;
  readonly cpu: number;
}

/** Fills the index of transfers between accounts that are drawn at random, some times. */
export async function measureBytes(): Promise<Pick<BenchResult, 'comparisons' | 'figures'>> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-index-bytes-'));
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  try {
    const [few, many] = [
      await fill(server.url('postgres'), folder, 0),
      await fill(server.url('postgres'), folder, 1),
    ];
    const ours = median(few.map(bytesOf));
    return {
      comparisons: [
        {
          what: 'index by address, a transaction where each account has three',
          unit: 'bytes',
          ours,
          peer: MAX_BYTES,
          peerName: `${MAX_BYTES} bytes`,
          ratio: ours / MAX_BYTES,
          target: { bound: 1, side: 'atMost' },
        },
      ],
      figures: [
        { what: 'each run', value: few.map(show).join('; ') },
        { what: 'each run where an account has hundreds', value: many.map(show).join('; ') },
      ],
    };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(url: string, folder: string, chain: 0 | 1): Promise<Filled[]> {
  const report = join(folder, 'filled.json');
  const runs: Filled[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await runBuilt({
      entry: join(LIBRARY, 'test/speed/fill-index.ts'),
      program: join(LIBRARY, 'dist/speed/fill-index.js'),
      words: [url, report, ...CHAINS[chain].map(String)],
    });
    runs.push(JSON.parse(await readFile(report, 'utf8')) as Filled);
  }
  return runs;
}

function bytesOf({ bytes, transactions }: Filled): number {
  return bytes / transactions;
}

function show(filled: Filled): string {
  const microseconds = (filled.cpu / filled.transactions) * 1e6;
  return `${bytesOf(filled).toFixed(0)} bytes and ${microseconds.toFixed(0)} µs of CPU a transaction`;
}
