import { seededRandom, type FaultyNetwork } from '@tetrad/testkit';
import { eventually } from '../demo/eventually.js';
import type { EtcdMember } from '@tetrad/embedded-etcd';
import type { Network } from '../network/network.js';
import type { NetworkNode } from '../network/network-node.js';
import { ChaosLoad } from './chaos-load.js';
import { check, type ChaosVerdict } from './chaos-verdict.js';
import { pause } from './offer.js';
import { PrivateLoad } from './private-load.js';
import { checkPrivately } from './private-verdict.js';
import { ProgressWatch, heightOf } from './progress-watch.js';
import { Trouble } from './trouble.js';
import { victimsOf } from './victims.js';

export interface ChaosOptions {
  readonly network: Network;
  /** The links between the nodes of the network. */
  readonly links: FaultyNetwork;
  /** Data folder of the network's embedded PostgreSQL, which is killed too; absent with another server. */
  readonly postgresFolder?: string | undefined;
  /** Members of the etcd cluster that orders the blocks, which are killed too; absent under validators. */
  readonly etcd?: readonly EtcdMember[] | undefined;
  readonly durationMs: number;
  /** Selects the victims and the times. */
  readonly seed: number;
  /** Time between two kills, in ms; 6 s when not given. */
  readonly killEveryMs?: number;
  /** How long a partition lasts, in ms; 20 s when not given. */
  readonly partitionMs?: number;
  readonly say?: (line: string) => void;
}

export interface ChaosReport extends ChaosVerdict {
  /** Transactions, private ones included. */
  readonly acknowledged: number;
  readonly acknowledgedPrivately: number;
  readonly retries: number;
  /** Kind of process → kills. */
  readonly kills: Readonly<Record<string, number>>;
  readonly partitions: number;
  /** How often a process ended without being killed, and was started again. */
  readonly restarts: number;
  /** Blocks produced during the faults. */
  readonly blocks: number;
  /** The longest time without a block during the faults, in ms. */
  readonly longestStandstillMs: number;
}

const DEFAULT_KILL_EVERY_MS = 6_000;
const PARTITION_EVERY_MS = 60_000;
const DEFAULT_PARTITION_MS = 20_000;
/** Blocks that every node must have after the faults: a halted chain proves nothing. */
const BLOCKS_AFTERWARDS = 3;

/**
 * Kills nodes, managers, other services and PostgreSQL and partitions the network while public and private transactions are sent;
 * then heals everything and checks the chain and the private state of the parties.
 * @throws when the chain has forked or halted, an acknowledged transaction is missing from it or in it twice, the
 *   parties of a private contract differ, or a killed process does not come back
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { network, seed, say = () => undefined } = options;
  const nodes = [...network.nodes];
  const privately = await PrivateLoad.start(network);
  const load = new ChaosLoad(nodes, network.endpoints, seededRandom(seed + 1));
  const watch = new ProgressWatch(nodes);
  const trouble = await makeTrouble(options, say);
  const progress = await watch.stop();
  // Under load: raft makes no empty blocks.
  await assertProgress(nodes);
  await Promise.all([load.stop(), privately?.stop()]);
  const secret = privately?.acknowledged ?? [];
  const acknowledged = new Set([...load.acknowledged, ...secret]);
  say(`${acknowledged.size} transactions were acknowledged; everything is up and connected again`);
  const verdict = await check(nodes, acknowledged);
  await checkPrivately(privately?.contracts ?? []);
  return {
    ...verdict,
    ...progress,
    acknowledged: acknowledged.size,
    acknowledgedPrivately: secret.length,
    retries: load.retries,
    kills: Object.fromEntries(trouble.kills),
    partitions: trouble.partitions,
    restarts: trouble.restarts,
  };
}

/** @returns the faults, once everything runs again */
async function makeTrouble(options: ChaosOptions, say: (line: string) => void): Promise<Trouble> {
  const { network, links, durationMs, seed } = options;
  const { killEveryMs = DEFAULT_KILL_EVERY_MS, partitionMs = DEFAULT_PARTITION_MS } = options;
  const trouble = new Trouble({
    victims: victimsOf(options),
    nodes: network.nodes.length,
    links,
    say,
    partitionMs,
    random: seededRandom(seed),
  });
  const ends = Date.now() + durationMs;
  const firstPartition = Math.min(PARTITION_EVERY_MS, durationMs / 3);
  try {
    await Promise.all([
      repeat(killEveryMs, { first: killEveryMs, ends, task: () => trouble.kill() }),
      repeat(PARTITION_EVERY_MS, { first: firstPartition, ends, task: () => trouble.part() }),
    ]);
  } finally {
    await trouble.end();
  }
  return trouble;
}

async function repeat(
  everyMs: number,
  { first, ends, task }: { first: number; ends: number; task: () => void },
): Promise<void> {
  for (let at = Date.now() + first; at < ends; at += everyMs) {
    await pause(at - Date.now());
    task();
  }
  await pause(ends - Date.now());
}

/** @throws when a node makes no blocks without a fault */
async function assertProgress(nodes: readonly NetworkNode[]): Promise<void> {
  const height = Math.max(...(await Promise.all(nodes.map(heightOf)))) + BLOCKS_AFTERWARDS;
  for (const node of nodes)
    await eventually(`${node.name} does not reach block ${height}: the chain stands`, async () => {
      return (await heightOf(node)) >= height;
    });
}
