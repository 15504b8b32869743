import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { createDatabase, dropDatabase, withDatabaseName } from '@tetrad/db';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { joinOnce, type Joined } from '../join-once.js';
import type { BenchResult, Comparison, Figure } from '../report/result.js';
import { runSuite } from '../run-suite.js';
import { writeChain, type ChainSize, type WrittenChain } from '../written-chain.js';

/** The chain that is joined; the environment sets other sizes. */
const SIZE = {
  blocks: numberOf('TETRAD_BENCH_BLOCKS', 200_000),
  accounts: numberOf('TETRAD_BENCH_ACCOUNTS', 1_000_000),
  contracts: numberOf('TETRAD_BENCH_CONTRACTS', 200_000),
  slots: 10,
  transactions: 0,
};
/** Tries of one leaf, of which a peer may have made many. */
const SMALL_STORAGES = {
  blocks: 400,
  accounts: 0,
  contracts: numberOf('TETRAD_BENCH_SMALL_STORAGES', 100_000),
  slots: 1,
  transactions: 0,
};
/** A chain that is executed too, so long that the seconds of a node's start are a small part of joining it. */
const SMALL = {
  blocks: numberOf('TETRAD_BENCH_SMALL_BLOCKS', 8_000),
  accounts: 0,
  contracts: 0,
  slots: 0,
  transactions: 100,
};
const KILLS = numberOf('TETRAD_BENCH_KILLS', 30);
const QUERIES = 2_000;
const KILLED = 'apps/node/test/scenarios/join-kills.scenario.test.ts';
const MAX_SECONDS = 300;
const MAX_MEGABYTES = 600;
/** Those that are measured; the environment names fewer. */
const PARTS = (process.env['TETRAD_BENCH_PARTS'] ?? 'large,storages,small,kills').split(',');
/** A folder whose written chains are kept, so that a later run need not write them again. */
const KEPT = process.env['TETRAD_BENCH_KEPT'];

/** Chains in databases of one server. */
interface Chains {
  written(name: string, size: ChainSize): Promise<WrittenChain>;
  empty(name: string): Promise<string>;
}

/** What a part of the benchmark measured. */
type Measured = Pick<BenchResult, 'comparisons' | 'figures'>;

const MEASURES: Readonly<Record<string, (chains: Chains) => Promise<Measured>>> = {
  large: joinLarge,
  storages: joinSmallStorages,
  small: joinAndExecute,
  kills: survive,
};

/**
 * A new node joins a chain by state, beside the node that serves it; a smaller chain is joined by executing it too. Then a node is
 * killed at random points while it joins.
 */
export async function join(): Promise<BenchResult> {
  const folder = KEPT ?? (await mkdtemp(joinPath(tmpdir(), 'tetrad-bench-join-')));
  await mkdir(folder, { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir: joinPath(folder, 'postgres') });
  const [comparisons, figures]: [Comparison[], Figure[]] = [[], []];
  try {
    const chains = chainsIn(folder, server.url('postgres'));
    for (const part of PARTS) {
      const measured = await MEASURES[part]?.(chains);
      if (measured === undefined)
        throw new Error(`TETRAD_BENCH_PARTS: ${part} is not one of ${Object.keys(MEASURES).join(', ')}`);
      comparisons.push(...measured.comparisons);
      figures.push(...measured.figures);
    }
    return { name: 'join', comparisons, figures };
  } finally {
    await server.stop();
    if (KEPT === undefined) await rm(folder, { recursive: true, force: true });
  }
}

function chainsIn(folder: string, url: string): Chains {
  const empty = async (name: string) => {
    if (KEPT !== undefined) await dropDatabase(url, name);
    return createDatabase(url, name);
  };
  return {
    empty,
    async written(name, size) {
      const done = joinPath(folder, `${name}-${Object.values(size).join('-')}`);
      const genesisFile = joinPath(folder, `genesis-${name}.json`);
      if (existsSync(done)) return { folder, url: withDatabaseName(url, name), genesisFile };
      const chain = await writeChain({ folder, url: await empty(name), genesisFile }, size);
      await writeFile(done, '');
      return chain;
    },
  };
}

async function joinLarge({ written, empty }: Chains): Promise<Measured> {
  const state = await joinOnce(await written('large', SIZE), await empty('joined'), 'state');
  return {
    comparisons: [
      limit(`new blocks validated, after ${SIZE.blocks} blocks`, 's', state.seconds, MAX_SECONDS),
      limit('memory of the node that joins', 'MB', state.megabytes, MAX_MEGABYTES),
      blockTime(state),
    ],
    figures: [
      {
        what: 'accounts, contracts, slots',
        value: `${SIZE.accounts}, ${SIZE.contracts}, ${SIZE.contracts * SIZE.slots}`,
      },
      { what: 'CPU, joining and serving', value: seconds(state.cpu, state.servingCpu) },
    ],
  };
}

async function joinSmallStorages({ written, empty }: Chains): Promise<Measured> {
  const attacked = await joinOnce(
    await written('storages', SMALL_STORAGES),
    await empty('attacked'),
    'state',
  );
  const what = `${SMALL_STORAGES.contracts} contracts of one slot`;
  return {
    comparisons: [
      limit(`memory, with ${what}`, 'MB', attacked.megabytes, MAX_MEGABYTES),
      blockTime(attacked, `, with ${what}`),
    ],
    figures: [
      {
        what: `${what}, until new blocks, CPU, joining and serving`,
        value: seconds(attacked.seconds, attacked.cpu, attacked.servingCpu),
      },
    ],
  };
}

async function joinAndExecute({ written, empty }: Chains): Promise<Measured> {
  const small = await written('small', SMALL);
  const executed = await joinOnce(small, await empty('executed'), 'full');
  const taken = await joinOnce(small, await empty('taken'), 'state');
  return {
    comparisons: [
      {
        what: `executing ${SMALL.blocks * SMALL.transactions} transactions`,
        unit: 's',
        ours: executed.seconds,
        peer: taken.seconds,
        peerName: 'joining by state',
        ratio: executed.seconds / taken.seconds,
        target: { bound: 20, side: 'atLeast' },
      },
    ],
    figures: [
      { what: 'CPU of the smaller chain, executing and by state', value: seconds(executed.cpu, taken.cpu) },
      { what: 'memory, executing', value: `${executed.megabytes.toFixed(0)} MB` },
    ],
  };
}

async function survive(): Promise<Measured> {
  const words = { TETRAD_JOIN_KILLS: String(KILLS), TETRAD_JOIN_QUERIES: String(QUERIES) };
  const survived = KILLS === 0 || (await runSuite(KILLED, words));
  return {
    comparisons: [
      {
        what: 'kills after which it goes on',
        unit: 'kills',
        ours: survived ? KILLS : 0,
        peer: KILLS,
        peerName: 'kills',
        ratio: survived ? 1 : 0,
        target: { bound: 1, side: 'atLeast' },
      },
    ],
    figures: [],
  };
}

function limit(what: string, unit: string, ours: number, most: number): Comparison {
  const target = { bound: 1, side: 'atMost' } as const;
  return { what, unit, ours, peer: most, peerName: `${most} ${unit}`, ratio: ours / most, target };
}

/** Blocks of the node that serves, beside the same node's without one that joins. */
function blockTime({ blockSeconds, quietSeconds }: Joined, beside = ''): Comparison {
  return {
    what: `a block of the node that serves${beside}`,
    unit: 's',
    ours: blockSeconds,
    peer: quietSeconds,
    peerName: 'without',
    ratio: blockSeconds / quietSeconds,
    target: { bound: 1.1, side: 'atMost' },
  };
}

const seconds = (...values: readonly number[]) => `${values.map((one) => one.toFixed(1)).join(', ')} s`;

function numberOf(variable: string, otherwise: number): number {
  return Number(process.env[variable] ?? otherwise);
}
