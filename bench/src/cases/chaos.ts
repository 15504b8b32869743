import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseNetworkOptions, runChaos, startLinkedNetwork, type ChaosReport } from '@tetrad/devnet';
import type { ChaosWords } from '../bench-words.js';
import type { BenchResult, Comparison } from '../report/result.js';

const SERVICES = 'node,transaction-manager,signer';
/** A validator mines one each second; raft's minter one each 50 ms while transactions come. */
const BLOCK_PERIOD_MS = { qbft: 1_000, ibft: 1_000, raft: 50 };
/** Blocks a second; an undisturbed chain makes at least one, a chain with continuous kills and partitions fewer. */
const LEAST_RATE_OF_BLOCKS = 0.2;
/** A partition of two and two stops the chain for 20 s, and rounds get longer meanwhile. */
const LONGEST_STANDSTILL_S = 90;

/**
 * Nodes, managers, a signer, PostgreSQL and etcd that are killed and partitioned; fails when the chain forks, an acknowledged
 * transaction is lost, or parties of a private contract differ.
 */
export async function chaos({ durationMs, seed, consensus }: ChaosWords): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-'));
  const say = (line: string) => process.stderr.write(`  ${line}\n`);
  say(`${consensus}, ${durationMs / 1_000} s, seed ${seed}`);
  const linked = await startLinkedNetwork(
    parseNetworkOptions([
      '--data-dir',
      folder,
      '--services',
      SERVICES,
      '--nodes',
      '4',
      '--consensus',
      consensus,
      '--block-period',
      String(BLOCK_PERIOD_MS[consensus]),
    ]),
  );
  try {
    const report = await runChaos({ ...linked, durationMs, seed, say });
    return resultOf(report, { durationMs, seed, consensus });
  } finally {
    await linked.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function resultOf(report: ChaosReport, { durationMs, seed, consensus }: ChaosWords): BenchResult {
  const { kills } = report;
  return {
    name: 'chaos',
    comparisons: [kept(report), blocksOf(report, durationMs), standstillOf(report)],
    figures: [
      { what: 'consensus, duration and seed', value: `${consensus}, ${durationMs / 1_000} s, ${seed}` },
      ...Object.entries(kills).map(([kind, count]) => ({ what: `killed: ${kind}`, value: String(count) })),
      { what: 'network partitions', value: String(report.partitions) },
      { what: 'processes that ended by themselves and were started again', value: String(report.restarts) },
      { what: 'private transactions acknowledged', value: String(report.acknowledgedPrivately) },
      { what: 'sends retried', value: String(report.retries) },
    ],
  };
}

/** A lost transaction fails chaos before there is a report, so both values are equal here. */
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
  const undisturbed = durationMs / 1_000;
  return {
    what: 'blocks meanwhile',
    unit: 'blocks',
    ours: blocks,
    peer: undisturbed,
    peerName: 'one a second',
    ratio: blocks / undisturbed,
    target: { bound: LEAST_RATE_OF_BLOCKS, side: 'atLeast' },
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
