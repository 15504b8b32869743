import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseNetworkOptions, runChaos, startLinkedNetwork, type ChaosReport } from '@tetrad/devnet';
import type { ChaosWords } from '../bench-words.js';
import type { BenchResult, Comparison } from '../report/result.js';

const SERVICES = 'node,transaction-manager,signer';
const BLOCK_PERIOD_MS = 1_000;
/** Of the blocks of a chain that is left alone; what is killed and parted all the time makes fewer. */
const LEAST_SHARE_OF_BLOCKS = 0.2;
/** A partition of two and two stops the chain for 20 s, and rounds get longer meanwhile. */
const LONGEST_STANDSTILL_S = 90;

/**
 * Validators, managers, a signer and PostgreSQL that are killed and parted; fails when the chain forks, a promise is broken, or
 * parties of a private contract differ.
 */
export async function chaos({ durationMs, seed }: ChaosWords): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-'));
  const say = (line: string) => process.stderr.write(`  ${line}\n`);
  say(`${durationMs / 1_000} s, seed ${seed}`);
  const linked = await startLinkedNetwork(
    parseNetworkOptions([
      ...['--data-dir', folder, '--services', SERVICES, '--nodes', '4'],
      ...['--block-period', String(BLOCK_PERIOD_MS)],
    ]),
  );
  try {
    const report = await runChaos({ ...linked, durationMs, seed, say });
    return resultOf(report, { durationMs, seed });
  } finally {
    await linked.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function resultOf(report: ChaosReport, { durationMs, seed }: ChaosWords): BenchResult {
  const { kills } = report;
  return {
    name: 'chaos',
    comparisons: [kept(report), blocksOf(report, durationMs), standstillOf(report)],
    figures: [
      { what: 'duration and seed', value: `${durationMs / 1_000} s, ${seed}` },
      ...Object.entries(kills).map(([kind, count]) => ({ what: `killed: ${kind}`, value: String(count) })),
      { what: 'network partitions', value: String(report.partitions) },
      { what: 'processes that ended by themselves and were started again', value: String(report.restarts) },
      { what: 'private transactions acknowledged', value: String(report.acknowledgedPrivately) },
      { what: 'sends retried', value: String(report.retries) },
    ],
  };
}

/** What is missing makes chaos fail before there is a report. */
function kept({ acknowledged }: ChaosReport): Comparison {
  return {
    what: 'acknowledged transactions on the chain of all nodes',
    unit: 'tx',
    ours: acknowledged,
    peer: acknowledged,
    peerName: 'acknowledged',
    ratio: acknowledged > 0 ? 1 : 0,
    target: { bound: 1, side: 'atLeast' },
  };
}

function blocksOf({ blocks }: ChaosReport, durationMs: number): Comparison {
  const undisturbed = durationMs / BLOCK_PERIOD_MS;
  return {
    what: 'blocks meanwhile',
    unit: 'blocks',
    ours: blocks,
    peer: undisturbed,
    peerName: 'one a period',
    ratio: blocks / undisturbed,
    target: { bound: LEAST_SHARE_OF_BLOCKS, side: 'atLeast' },
  };
}

function standstillOf({ longestStandstillMs }: ChaosReport): Comparison {
  const seconds = longestStandstillMs / 1_000;
  return {
    what: 'longest standstill of the chain',
    unit: 's',
    ours: seconds,
    peer: LONGEST_STANDSTILL_S,
    peerName: 'limit',
    ratio: seconds / LONGEST_STANDSTILL_S,
    target: { bound: 1, side: 'atMost' },
  };
}
