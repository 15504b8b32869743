export { EmbeddedEtcdError } from './embedded-etcd-error.js';
export type { EtcdCluster } from './etcd-cluster.js';
export type { EtcdMember } from './etcd-member.js';
export { findEtcd, lackingForEtcd, type Etcd } from './find-etcd.js';
export { startEtcdCluster, type EtcdClusterOptions } from './start-etcd-cluster.js';
