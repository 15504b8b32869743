export type { PeerError } from './peer-error.js';
export {
  EnodeError,
  formatEndpoint,
  formatEnode,
  parseEnode,
  type Endpoint,
  type Enode,
} from './identity/enode.js';
export { addressOfNode, nodeIdFromBytes, parseNodeId, shortNodeId, type NodeId } from './identity/node-id.js';
export { OwnKeyElsewhere } from './identity/own-key-elsewhere.js';
export { DEFAULT_PEER_LIMITS, type PeerLimits } from './limits.js';
export type { PeerInfo } from './network/peer-info.js';
export { PeerNetwork, type PeerChange, type PeerNetworkOptions } from './peer-network.js';
export type {
  ChainPort,
  ConnectionRequest,
  ConsensusOutcome,
  ConsensusPort,
  DuplicateKey,
  ImportOutcome,
  IsAllowed,
  NoticePort,
  PeerPorts,
  PoolOutcome,
  PoolPort,
  RawTransaction,
  StatePort,
  TracePort,
} from './ports.js';
export type { SyncProgress } from './sync/chain-sync.js';
export type { StateOutcome, StatePeers, StateSource } from './sync/state-peers.js';
export { FollowingWatch, type Standing } from './sync/following-watch.js';
export type { Head } from './wire/handshake-messages.js';
export {
  MAX_RANGE_ENTRIES,
  decodeStateAnswer,
  encodeStateAnswer,
  type StateAnswers,
  type WirePast,
  type WireRange,
  type WireWitness,
} from './wire/state-answer.js';
export {
  MAX_REQUESTED_CONTENTS,
  MAX_REQUESTED_HEADERS,
  MAX_REQUESTED_PAST,
  MAX_REQUESTED_RANGES,
  MAX_STATE_BUDGET,
  encodeStateRequest,
  type ContentKind,
  type RangeQuestion,
  type StateKind,
  type StateQuestions,
  type StateRequest,
} from './wire/state-request.js';
