import {
  clientUrl,
  dataFolder,
  initialCluster,
  peerUrl,
  type ClusterRecord,
  type MemberRecord,
} from './cluster-file.js';

/** Limits of etcd that tests make small; its own defaults without them. */
export interface EtcdLimits {
  /** Maximum size of the database, after which etcd refuses to write until it is compacted. */
  readonly quotaBytes?: number;
  /** Maximum size of one request. */
  readonly maxRequestBytes?: number;
}

/** @param folder - of the cluster. Automatic compaction stays off: the writer of a ledger compacts it. */
export function memberArguments(
  folder: string,
  { cluster, member, limits }: { cluster: ClusterRecord; member: MemberRecord; limits: EtcdLimits },
): string[] {
  const { quotaBytes, maxRequestBytes } = limits;
  return [
    `--name=${member.name}`,
    `--data-dir=${dataFolder(folder, member)}`,
    `--listen-client-urls=${clientUrl(member)}`,
    `--advertise-client-urls=${clientUrl(member)}`,
    `--listen-peer-urls=${peerUrl(member)}`,
    `--initial-advertise-peer-urls=${peerUrl(member)}`,
    `--initial-cluster=${initialCluster(cluster)}`,
    `--initial-cluster-token=${cluster.token}`,
    `--initial-cluster-state=${member.joins ? 'existing' : 'new'}`,
    '--logger=zap',
    '--log-outputs=stderr',
    '--log-level=warn',
    ...(quotaBytes === undefined ? [] : [`--quota-backend-bytes=${quotaBytes}`]),
    ...(maxRequestBytes === undefined ? [] : [`--max-request-bytes=${maxRequestBytes}`]),
  ];
}
