import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { BenchResult, Comparison, Figure } from '../report/result.js';
import { runSuite } from '../run-suite.js';

const ORDERS = 1_000;
const SUITE = 'libs/rollup/client/test/dust-exit.scenario.test.ts';
/** Beyond the window of the contract. */
const MAX_SECONDS = 600;
/** Of a public chain. */
const BLOCK_SECONDS = 12;

const figuresSchema = z.object({
  /** What the account holds besides. */
  name: z.string(),
  orders: z.number(),
  /** From the freeze to the last payment. */
  blocks: z.number(),
  transactions: z.number(),
  gas: z.string(),
});

type Figures = z.infer<typeof figuresSchema>;

/** Leaving a rollup with a thousand orders of dust and no operator: how long it takes after the window of the contract, on a chain with blocks of 30 million gas. */
export async function rollupExit(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-exit-'));
  const file = join(folder, 'figures');
  try {
    const environment = { TETRAD_EXIT_ORDERS: String(ORDERS), TETRAD_EXIT_FIGURES: file };
    if (!(await runSuite(SUITE, environment))) throw new Error('an exit failed; see above');
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const runs = lines.map((line) => figuresSchema.parse(JSON.parse(line)));
    return { name: 'rollup-exit', comparisons: runs.map(compare), figures: runs.flatMap(figuresOf) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function compare({ name, orders, blocks }: Figures): Comparison {
  const beyond = blocks * BLOCK_SECONDS;
  return {
    what: `${orders} orders and ${name}`,
    unit: 's',
    ours: beyond,
    peer: MAX_SECONDS,
    peerName: 'limit after the window',
    ratio: beyond / MAX_SECONDS,
    target: { bound: 1, side: 'atMost' },
  };
}

function figuresOf({ name, blocks, transactions, gas }: Figures): Figure[] {
  return [
    { what: `blocks from the freeze to the last payment, ${name}`, value: String(blocks) },
    { what: 'transactions', value: String(transactions) },
    { what: 'gas of all', value: Number(gas).toLocaleString('en') },
  ];
}
