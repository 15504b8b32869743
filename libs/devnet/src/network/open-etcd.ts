import { join } from 'node:path';
import { lackingForEtcd, startEtcdCluster } from '@tetrad/embedded-etcd';
import { silentLogger } from '@tetrad/types';
import type { NetworkOptions } from './network-options.js';

/** The cluster that orders the blocks of a raft network. */
export interface OrderingEtcd {
  readonly endpoints: readonly string[];
  stop(): Promise<void>;
}

/**
 * The cluster of the options, or a new one of one member, in the network's data folder.
 * @returns undefined under validators
 * @throws Error when etcd is not installed, EmbeddedEtcdError when it does not come up
 */
export async function openEtcd({
  consensus,
  etcdEndpoints,
  dataDir,
}: Pick<NetworkOptions, 'consensus' | 'dataDir' | 'etcdEndpoints'>): Promise<OrderingEtcd | undefined> {
  if (consensus !== 'raft') return undefined;
  if (etcdEndpoints !== undefined) return { endpoints: etcdEndpoints, stop: async () => undefined };
  const lacking = await lackingForEtcd();
  if (lacking !== undefined)
    throw new Error(`--consensus raft: ${lacking}; or name a cluster with --etcd-endpoints`);
  const folder = join(dataDir, 'etcd');
  const cluster = await startEtcdCluster({ folder, members: 1, keep: true, logger: silentLogger });
  return { endpoints: cluster.endpoints, stop: () => cluster.close() };
}
