import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PORTS_PER_NODE,
  UnknownCommitError,
  buildEarlier,
  freePorts,
  parseNetworkOptions,
  startNetwork,
  upgradeRolling,
  type EarlierPrograms,
  type RollingUpgradeReport,
} from '@tetrad/devnet';
import type { UpgradeWords } from '../bench-words.js';
import type { BenchResult, Comparison } from '../report/result.js';

const NODES = 4;
const BLOCK_PERIOD_MS = 1_000;
/** The proposer of a round may be the node that is stopped, several times in a row: rounds take 4 s, then 8 s. */
const LONGEST_STANDSTILL_S = 30;
const SEED = 20_261_125;
/** Namespaces that every version has, and the load needs. */
const NODE_OPTIONS = '--http-api eth,net,web3,debug,admin,ibft';

/**
 * Four nodes with managers and a signer, started with the programs of an earlier commit and upgraded one after the other under
 * load. Skipped, which is said, where the history does not have the commit.
 */
export async function upgrade({ from }: UpgradeWords): Promise<BenchResult> {
  const say = (line: string) => process.stderr.write(`  ${line}\n`);
  let earlier: EarlierPrograms;
  try {
    earlier = await buildEarlier(from);
  } catch (error) {
    if (!(error instanceof UnknownCommitError)) throw error;
    say(`SKIPPED upgrade: ${error.message}`);
    return { name: 'upgrade', comparisons: [], figures: [{ what: 'skipped', value: error.message }] };
  }
  try {
    say(`the programs of ${earlier.commit} are built`);
    return resultOf(await upgradeFrom(earlier, say), earlier.commit);
  } finally {
    await earlier.remove();
  }
}

async function upgradeFrom(
  { root }: EarlierPrograms,
  say: (line: string) => void,
): Promise<RollingUpgradeReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-'));
  const words = [
    '--nodes',
    String(NODES),
    '--services',
    'node,transaction-manager,signer',
    '--node-options',
    NODE_OPTIONS,
  ];
  const base = await freePorts(NODES * PORTS_PER_NODE);
  const places = [
    '--data-dir',
    folder,
    '--port-base',
    String(base),
    '--block-period',
    String(BLOCK_PERIOD_MS),
  ];
  try {
    const network = await startNetwork(parseNetworkOptions([...words, ...places]), { programs: root });
    try {
      return await upgradeRolling({ network, seed: SEED, say });
    } finally {
      await network.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function resultOf(report: RollingUpgradeReport, commit: string): BenchResult {
  const { acknowledged, acknowledgedPrivately, blocks, retries, upgraded } = report;
  return {
    name: 'upgrade',
    comparisons: [kept(report), standstillOf(report)],
    figures: [
      { what: 'from commit', value: commit.slice(0, 12) },
      { what: 'processes upgraded', value: upgraded.join(', ') },
      { what: 'blocks meanwhile', value: String(blocks) },
      {
        what: 'transactions acknowledged, private ones among them',
        value: `${acknowledged}, ${acknowledgedPrivately}`,
      },
      { what: 'sends retried', value: String(retries) },
    ],
  };
}

/** A lost transaction fails the upgrade before there is a report, so both values are equal here. */
function kept({ acknowledged }: RollingUpgradeReport): Comparison {
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

function standstillOf({ longestStandstillMs }: RollingUpgradeReport): Comparison {
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
