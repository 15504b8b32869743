import { join } from 'node:path';
import { startEtcdCluster, type EtcdCluster, type EtcdMember } from '@tetrad/embedded-etcd';
import { FaultyNetwork, FaultyProxy, freePorts } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { postgresFolder } from '../network/network-databases.js';
import { startNetwork, type Network } from '../network/network.js';
import type { NetworkOptions } from '../network/network-options.js';
import { PORTS_PER_NODE, managerPorts, nodePorts } from '../network/ports.js';

/** A network whose nodes, and whose managers, reach each other over links that can be broken. */
export interface LinkedNetwork {
  readonly network: Network;
  readonly links: FaultyNetwork;
  /** The link to the manager of each node, over which the other managers reach it. */
  readonly managerLinks: readonly FaultyProxy[];
  /** Data folder of the embedded PostgreSQL; undefined with another server. */
  readonly postgresFolder: string | undefined;
  /** Members of the etcd cluster that orders the blocks; undefined under validators, and with another cluster. */
  readonly etcd: readonly EtcdMember[] | undefined;
  stop(): Promise<void>;
}

/** Starts it on free ports; under raft with an etcd cluster of three members. */
export async function startLinkedNetwork(options: NetworkOptions): Promise<LinkedNetwork> {
  const portBase = options.portBase ?? (await freePorts(options.nodes * PORTS_PER_NODE));
  const ports = Array.from({ length: options.nodes }, (_, index) => () => nodePorts(portBase, index).peer);
  const links = await FaultyNetwork.open(ports);
  const managerLinks = await Promise.all(
    ports.map((_, index) => FaultyProxy.open({ port: () => managerPorts(portBase, index).peer })),
  );
  let etcd: EtcdCluster | undefined;
  const close = async () => {
    await etcd?.close();
    await links.close();
    await Promise.all(managerLinks.map((link) => link.close()));
  };
  try {
    etcd = await startEtcd(options);
    const network = await startNetwork(
      { ...options, portBase, etcdEndpoints: etcd?.endpoints ?? options.etcdEndpoints },
      {
        linkPort: (from, to) => links.portOf(from, to),
        managerPort: (index) => (managerLinks[index] as FaultyProxy).port,
      },
    );
    return {
      network,
      links,
      managerLinks,
      postgresFolder: options.databaseUrl === undefined ? postgresFolder(options.dataDir) : undefined,
      etcd: etcd?.members,
      async stop() {
        await network.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startEtcd(options: NetworkOptions): Promise<EtcdCluster | undefined> {
  if (options.consensus !== 'raft' || options.etcdEndpoints !== undefined) return undefined;
  const folder = join(options.dataDir, 'etcd-cluster');
  return startEtcdCluster({ folder, members: 3, keep: true, logger: silentLogger });
}
