export { BlockMinter, type BlockMinterOptions } from './driver/block-minter.js';
export type { OrderedChain } from './driver/log-follower-options.js';
export { RaftDriver, type PeerHead, type RaftDriverOptions } from './driver/raft-driver.js';
export type { RaftReason } from './driver/raft-reasons.js';
export type { BlockCodec } from './log/log-block.js';
export { EtcdLogStore } from './log/etcd-log-store.js';
export { LogError, type LogConflict } from './log/log-error.js';
export { LogKeys } from './log/log-keys.js';
export { MAX_RAFT_ID, type LogHead, type Member, type MemberKind } from './log/log-records.js';
export { newestOfLog } from './log/newest-of-log.js';
export {
  clusterOf,
  leaderOf,
  roleOf,
  type ClusterNode,
  type ClusterState,
} from './membership/cluster-view.js';
export { Membership, noLeader, type MemberAddress } from './membership/membership.js';
export { RaftChainRules, type RaftSnapshot } from './raft-chain-rules.js';
export { decodeRaftExtraData, encodeRaftExtraData, type RaftExtraData } from './raft-extra-data.js';
export { raftSealDigest, recoverMinter, sealHeader } from './raft-seal.js';
