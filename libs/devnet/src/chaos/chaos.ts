import { seededRandom, type FaultyNetwork } from '@tetrad/testkit';
import type { Network } from '../network/network.js';
import type { NetworkNode } from '../network/network-node.js';
import { ChaosLoad } from './chaos-load.js';
import { judge, type ChaosVerdict } from './chaos-verdict.js';
import { choose } from './choose.js';

export interface ChaosOptions {
  readonly network: Network;
  /** The links between the nodes of the network. */
  readonly links: FaultyNetwork;
  readonly durationMs: number;
  /** Decides whom it hits. */
  readonly seed: number;
  /** Time between two kills, in ms; 10 s when not given. */
  readonly killEveryMs?: number;
  /** How long a partition lasts, in ms; 20 s when not given. */
  readonly partitionMs?: number;
  readonly say?: (line: string) => void;
}

export interface ChaosReport extends ChaosVerdict {
  readonly acknowledged: number;
  readonly retries: number;
  readonly kills: number;
  readonly partitions: number;
}

const DEFAULT_KILL_EVERY_MS = 10_000;
const PARTITION_EVERY_MS = 60_000;
const DEFAULT_PARTITION_MS = 20_000;
/** How long a killed node stays down at most. */
const DOWN_MS = 4_000;

/**
 * Kills nodes and partitions the network while transactions come; then heals everything and checks the chain.
 *
 * Fails: when the chain has forked, or an acknowledged transaction is missing from it or in it twice
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { network, links, durationMs, seed, say = () => undefined } = options;
  const { killEveryMs = DEFAULT_KILL_EVERY_MS, partitionMs = DEFAULT_PARTITION_MS } = options;
  const nodes = [...network.nodes];
  const random = seededRandom(seed);
  const load = new ChaosLoad(nodes, BigInt(network.endpoints.chainId), random);
  const trouble = new Trouble(nodes, links, { random, say, partitionMs });
  const ends = Date.now() + durationMs;
  const firstPartition = Math.min(PARTITION_EVERY_MS, durationMs / 3);
  await Promise.all([
    repeat(killEveryMs, { first: killEveryMs, ends, task: () => trouble.kill() }),
    repeat(PARTITION_EVERY_MS, { first: firstPartition, ends, task: () => trouble.part() }),
  ]);
  await trouble.end();
  await load.stop();
  const { acknowledged, retries } = load;
  say(`${acknowledged.size} transactions were acknowledged; all nodes are up and connected again`);
  const verdict = await judge(nodes, acknowledged);
  const { kills, partitions } = trouble;
  return { ...verdict, acknowledged: acknowledged.size, retries, kills, partitions };
}

async function repeat(
  everyMs: number,
  { first, ends, task }: { first: number; ends: number; task: () => Promise<void> | void },
): Promise<void> {
  for (let at = Date.now() + first; at < ends; at += everyMs) {
    await pause(at - Date.now());
    await task();
  }
  await pause(ends - Date.now());
}

/** What is done to the nodes. */
class Trouble {
  kills = 0;
  partitions = 0;
  /** Nodes on their way up again. */
  private readonly comingBack = new Map<NetworkNode, Promise<void>>();
  private healing: Promise<void> = Promise.resolve();

  constructor(
    private readonly nodes: readonly NetworkNode[],
    private readonly links: FaultyNetwork,
    private readonly options: {
      readonly random: () => number;
      readonly say: (line: string) => void;
      readonly partitionMs: number;
    },
  ) {}

  async kill(): Promise<void> {
    const { random, say } = this.options;
    const up = this.nodes.filter((node) => node.isRunning && !this.comingBack.has(node));
    const victim = choose(random, up);
    if (victim === undefined) return;
    this.kills += 1;
    say(`${victim.files.name} is killed`);
    await victim.kill();
    const back = pause(random() * DOWN_MS).then(() => victim.start());
    this.comingBack.set(
      victim,
      back.finally(() => this.comingBack.delete(victim)),
    );
  }

  /** Two and two, or one and the others. */
  part(): void {
    const { random, say, partitionMs } = this.options;
    const order = this.nodes.map((_, index) => index).sort(() => random() - 0.5);
    const size = 1 + Math.floor(random() * 2);
    const groups = [order.slice(0, size), order.slice(size)];
    this.partitions += 1;
    say(`the network is partitioned: ${groups.map((group) => group.join(' ')).join(' | ')}`);
    this.links.partition(groups);
    this.healing = pause(partitionMs).then(() => {
      this.links.heal();
      say('the network is no longer partitioned');
    });
  }

  /** Everything is as before. Fails: when a node does not start any more. */
  async end(): Promise<void> {
    await this.healing;
    this.links.heal();
    await Promise.all(this.comingBack.values());
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, Math.max(ms, 0)));
}
