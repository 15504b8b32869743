import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import type { RowCost } from '@tetrad/testkit';
import type { BenchResult, Comparison } from '../report/result.js';
import { runBuilt } from './measuring-program.js';

/** Stores with statements beside Prisma's client. */
const STORES = [
  'libs/node/chain/store',
  'libs/signer/store',
  'libs/wallet/store',
  'libs/transaction-manager',
  'libs/rollup/store',
];

/** The statements of every store beside the calls of the client that do the same: what keeps them SQL (docs/adr/0121). */
export async function rows(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-rows-'));
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  try {
    const comparisons: Comparison[] = [];
    for (const store of STORES) {
      const report = join(folder, 'rows.json');
      const entry = join(ROOT, store, 'test/speed/measure-rows.ts');
      const program = join(ROOT, store, 'dist/speed/measure-rows.js');
      await runBuilt({ entry, program, words: [server.url('postgres'), report] });
      const measured = JSON.parse(await readFile(report, 'utf8')) as readonly RowCost[];
      comparisons.push(...measured.map((one) => compare(store, one)));
    }
    return { name: 'rows', comparisons, figures: [] };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function compare(store: string, { statement, rows: count, client, sql }: RowCost): Comparison {
  return {
    what: `${store}: ${statement}, ${count} rows`,
    unit: 'ms CPU',
    ours: sql.cpuMs,
    peer: client.cpuMs,
    peerName: 'the client',
    ratio: sql.cpuMs / client.cpuMs,
    target: { bound: 1, side: 'atMost' },
  };
}
