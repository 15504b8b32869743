import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import {
  PORTS_PER_NODE,
  callRpc,
  freePorts,
  minedOnce,
  parseNetworkOptions,
  startNetwork,
  type Network,
  type NetworkNode,
} from '@tetrad/devnet';
import {
  lackingForEtcd,
  startEtcdCluster,
  type EtcdCluster,
  type EtcdClusterOptions,
} from '@tetrad/embedded-etcd';
import { until } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';

const lacking = await lackingForEtcd();

/** Prints a notice where etcd is not installed. */
export function describeWithEtcd(what: string, tests: () => void): void {
  if (lacking === undefined) return describe(what, tests);
  process.stderr.write(`SKIPPED: ${what}: ${lacking}\n`);
  describe.skip(what, tests);
}

/** Nodes that have ports: those of the start, and those that join. */
const MAX_NODES = 5;

async function startOn(
  etcd: EtcdCluster,
  { folder, words }: { readonly folder: string; readonly words: readonly string[] },
): Promise<Network> {
  const base = await freePorts(MAX_NODES * PORTS_PER_NODE);
  const own = ['--consensus', 'raft', '--data-dir', folder, '--port-base', `${base}`];
  return startNetwork(parseNetworkOptions([...own, '--etcd-endpoints', etcd.endpoints.join(), ...words]));
}

/** Node processes whose blocks an etcd cluster of three members orders. Nodes are named by their index. */
export class RaftCluster {
  private constructor(
    readonly network: Network,
    readonly etcd: EtcdCluster,
    private readonly folder: string,
    private readonly ownsEtcd = true,
  ) {}

  /** @param words - further options of `up` */
  static async start(...words: readonly string[]): Promise<RaftCluster> {
    return RaftCluster.startOn(words, {});
  }

  static async startOn(
    words: readonly string[],
    limits: Pick<EtcdClusterOptions, 'quotaBytes'>,
  ): Promise<RaftCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-raft-'));
    const etcd = await startEtcdCluster({
      folder: join(folder, 'etcd-cluster'),
      members: 3,
      logger: silentLogger,
      ...limits,
    });
    try {
      return new RaftCluster(await startOn(etcd, { folder, words }), etcd, folder);
    } catch (error) {
      await etcd.close();
      throw error;
    }
  }

  /** Another network on the same etcd. */
  static async startBeside({ etcd }: RaftCluster, ...words: readonly string[]): Promise<RaftCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-raft-'));
    return new RaftCluster(await startOn(etcd, { folder, words }), etcd, folder, false);
  }

  async stop(): Promise<void> {
    await this.network.stop();
    if (this.ownsEtcd) await this.etcd.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  node(index: number): NetworkNode {
    const node = this.network.nodes[index];
    if (node === undefined) throw new Error(`the network has no node ${index}`);
    return node;
  }

  /** @throws Error with the node's message */
  ask(index: number, method: string, ...params: readonly unknown[]): Promise<unknown> {
    return callRpc(this.node(index).rpc, method, params);
  }

  /** `down` for a node that does not answer. */
  async roleOf(index: number): Promise<string> {
    return String(await this.ask(index, 'raft_role').catch(() => 'down'));
  }

  /** Waits until the node is minter or verifier; which of the two may change on a busy host. */
  async untilVoter(...indexes: readonly number[]): Promise<void> {
    for (const index of indexes)
      await until(async () => ['minter', 'verifier'].includes(await this.roleOf(index)));
  }

  /**
   * Waits for a minter.
   * @returns its index
   */
  async minter(among: readonly number[] = this.network.nodes.map((_, index) => index)): Promise<number> {
    let minter: number | undefined;
    await until(async () => {
      for (const index of among) if ((await this.roleOf(index)) === 'minter') minter = index;
      return minter !== undefined;
    });
    return minter as number;
  }

  /**
   * Sends transactions of the node's own account through it.
   * @returns their hashes, each of which is acknowledged
   */
  async send(index: number, count = 5): Promise<string[]> {
    const [from] = (await this.ask(index, 'eth_accounts')) as [string];
    const hashes: string[] = [];
    for (let sent = 0; sent < count; sent++)
      hashes.push(
        (await this.ask(index, 'eth_sendTransaction', { from, to: from, gas: '0x5208' })) as string,
      );
    return hashes;
  }

  /** Waits until each of the nodes has all of them, and none of them twice. */
  async mined(hashes: readonly string[], ...indexes: readonly number[]): Promise<void> {
    for (const index of indexes) await minedOnce(this.node(index).rpc, hashes);
  }

  async heightOf(index: number): Promise<number> {
    return Number(await this.ask(index, 'eth_blockNumber'));
  }

  /** Waits until all of the nodes have the same newest block. */
  async untilEqualHeads(...indexes: readonly number[]): Promise<void> {
    const headOf = async (index: number) =>
      ((await this.ask(index, 'eth_getBlockByNumber', 'latest', false)) as { readonly hash: string }).hash;
    await until(async () => new Set(await Promise.all(indexes.map(headOf))).size === 1);
  }

  /** Waits until the node reports that the cluster has no quorum, so that nothing is mined any more. */
  untilWithoutQuorum(index: number): Promise<void> {
    return this.untilReadiness(index, 'no more than half of the voters run');
  }

  /** Waits until `/readyz` of the node matches. */
  async untilReadiness(index: number, wanted: RegExp | string): Promise<void> {
    const url = `http://127.0.0.1:${this.node(index).ports.ops}/readyz`;
    await until(async () => new RegExp(wanted).test(await (await fetch(url)).text()));
  }
}
