import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { createDatabase } from '@tetrad/db';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { callRpc } from '../call-rpc.js';
import { processCpu } from '../process-cpu.js';
import type { BenchResult, Comparison } from '../report/result.js';
import { runSuite } from '../run-suite.js';
import { VALIDATOR_KEY, heightOf, startOnChain, writeChain, type WrittenChain } from '../written-chain.js';

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
/** A chain that is executed too. */
const SMALL = {
  blocks: numberOf('TETRAD_BENCH_SMALL_BLOCKS', 3_000),
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
/** Blocks by which a serving node's time of a block is measured without a node that joins. */
const QUIET_BLOCKS = 20;
const POLL_MS = 200;

/** What a node took to validate new blocks. */
interface Joined {
  readonly seconds: number;
  /** Largest memory of its process. */
  readonly megabytes: number;
  /** Seconds between two blocks of the node that served, meanwhile and before. */
  readonly blockSeconds: number;
  readonly quietSeconds: number;
  /** CPU seconds of the node that joins, and of the one that serves, without PostgreSQL. */
  readonly cpu: number;
  readonly servingCpu: number;
}

/**
 * A new node joins a chain by state, beside the node that serves it; a smaller chain is joined by executing it too. Then a node is
 * killed at random points while it joins.
 */
export async function join(): Promise<BenchResult> {
  const folder = await mkdtemp(joinPath(tmpdir(), 'tetrad-bench-join-'));
  const server = await startEmbeddedPostgres({ dataDir: joinPath(folder, 'postgres') });
  try {
    const database = (name: string) => createDatabase(server.url('postgres'), name);
    const large = await writeChain(folder, await database('large'), SIZE);
    const state = await joinOnce(large, await database('joined'), 'state');
    const storages = await writeChain(folder, await database('storages'), SMALL_STORAGES);
    const attacked = await joinOnce(storages, await database('attacked'), 'state');
    const small = await writeChain(folder, await database('small'), SMALL);
    const executed = await joinOnce(small, await database('executed'), 'full');
    const taken = await joinOnce(small, await database('taken'), 'state');
    const words = { TETRAD_JOIN_KILLS: String(KILLS), TETRAD_JOIN_QUERIES: String(QUERIES) };
    const survived = KILLS === 0 || (await runSuite(KILLED, words));
    return report({ state, attacked, executed, taken, survived });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function joinOnce(chain: WrittenChain, databaseUrl: string, sync: 'state' | 'full'): Promise<Joined> {
  const name = `serving-${sync}`;
  const serving = await startOnChain(chain, chain.url, { name, key: VALIDATOR_KEY, flags: [] });
  try {
    const quietSeconds = await secondsOfBlocks(serving.url, QUIET_BLOCKS);
    const { enode } = (await callRpc(serving.url, 'admin_nodeInfo', [])) as { enode: string };
    const before = await processCpu(serving.process.pid);
    const [began, first] = [performance.now(), (await heightOf(serving.url)) ?? 0];
    process.stderr.write(`  joining with --sync ${sync}\n`);
    const flags = ['--sync', sync, '--history', 'none', '--peers', enode];
    const joining = await startOnChain(chain, databaseUrl, {
      name: `joining-${sync}`,
      key: '51'.repeat(32),
      flags,
    });
    try {
      // It validates new blocks once it has one that was not there when it began.
      while (((await heightOf(joining.url)) ?? 0) <= first)
        await new Promise((tick) => setTimeout(tick, POLL_MS));
      const seconds = (performance.now() - began) / 1_000;
      const blocks = ((await heightOf(serving.url)) ?? first) - first;
      const megabytes = await largestMemory(joining.process.pid);
      const cpu = await processCpu(joining.process.pid);
      const servingCpu = (await processCpu(serving.process.pid)) - before;
      const blockSeconds = seconds / Math.max(1, blocks);
      return { seconds, megabytes, blockSeconds, quietSeconds, cpu, servingCpu };
    } finally {
      await joining.process.stop();
    }
  } finally {
    await serving.process.stop();
  }
}

async function secondsOfBlocks(url: string, blocks: number): Promise<number> {
  const first = (await heightOf(url)) ?? 0;
  const began = performance.now();
  while (((await heightOf(url)) ?? 0) < first + blocks)
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  return (performance.now() - began) / 1_000 / blocks;
}

/** Linux; 0 elsewhere. Units: MB */
async function largestMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
}

function report(measured: {
  readonly state: Joined;
  readonly attacked: Joined;
  readonly executed: Joined;
  readonly taken: Joined;
  readonly survived: boolean;
}): BenchResult {
  const { state, attacked, executed, taken, survived } = measured;
  const limit = (what: string, unit: string, ours: number, most: number): Comparison => ({
    what,
    unit,
    ours,
    peer: most,
    peerName: `${most} ${unit}`,
    ratio: ours / most,
    target: { bound: 1, side: 'atMost' },
  });
  return {
    name: 'join',
    comparisons: [
      limit(`new blocks validated, after ${SIZE.blocks} blocks`, 's', state.seconds, MAX_SECONDS),
      limit('memory of the node that joins', 'MB', state.megabytes, MAX_MEGABYTES),
      limit(
        `memory, with ${SMALL_STORAGES.contracts} contracts of one slot`,
        'MB',
        attacked.megabytes,
        MAX_MEGABYTES,
      ),
      {
        what: 'a block of the node that serves',
        unit: 's',
        ours: state.blockSeconds,
        peer: state.quietSeconds,
        peerName: 'without',
        ratio: state.blockSeconds / state.quietSeconds,
        target: { bound: 1.1, side: 'atMost' },
      },
      {
        what: `executing ${SMALL.blocks * SMALL.transactions} transactions`,
        unit: 's',
        ours: executed.seconds,
        peer: taken.seconds,
        peerName: 'joining by state',
        ratio: executed.seconds / taken.seconds,
        target: { bound: 20, side: 'atLeast' },
      },
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
    figures: [
      {
        what: 'accounts, contracts, slots',
        value: `${SIZE.accounts}, ${SIZE.contracts}, ${SIZE.contracts * SIZE.slots}`,
      },
      {
        what: 'CPU, joining and serving',
        value: `${state.cpu.toFixed(1)} s, ${state.servingCpu.toFixed(1)} s`,
      },
      {
        what: `${SMALL_STORAGES.contracts} contracts of one slot, until new blocks, CPU, joining and serving`,
        value: `${[attacked.seconds, attacked.cpu, attacked.servingCpu].map((one) => one.toFixed(1)).join(', ')} s`,
      },
      {
        what: 'CPU of the smaller chain, executing and by state',
        value: `${executed.cpu.toFixed(1)} s, ${taken.cpu.toFixed(1)} s`,
      },
      { what: 'memory, executing', value: `${executed.megabytes.toFixed(0)} MB` },
    ],
  };
}

function numberOf(variable: string, otherwise: number): number {
  return Number(process.env[variable] ?? otherwise);
}
