export { decodeRaftExtraData, encodeRaftExtraData, type RaftExtraData } from './raft-extra-data.js';
export { raftSealDigest, recoverMinter, sealHeader } from './raft-seal.js';
