import type { ClusterState, Membership } from '@tetrad/node-consensus-raft';
import type { ConsensusOutcome, NodeId } from '@tetrad/node-peer';
import type { BlockHeader } from '@tetrad/types';

/** Takes part in ordering the blocks of the chain; the same interface for every engine. */
export interface Ordering {
  /** Takes a peer's message to the engine. Never throws; an engine without messages between nodes ignores it. */
  onMessage(message: Uint8Array): ConsensusOutcome;
  /** Why no blocks are produced at the moment; undefined when all is well. */
  trouble(): string | undefined;
  /** Whether this node produces and confirms blocks when it is its turn. */
  isActive(): boolean;
  /** Stops producing until `resume`; the node goes on following the chain. Resolves when no block is being built. */
  pause(): Promise<void>;
  /** Takes part again, from the stored record. Fails: as the start does */
  resume(): Promise<void>;
  /** Resolves when no block is being built; transactions that are not in a block stay in the pool. */
  stop(): Promise<void>;
  /** Whether a node may be a peer; absent where the engine does not restrict peers. */
  readonly isMember?: (nodeId: NodeId) => boolean;
  /** Which blocks are accepted from peers; absent where any valid block is. */
  readonly fromPeers?: BlocksFromPeers;
  /** Absent where no log orders the blocks. */
  readonly raft?: RaftOrdering;
}

/** Blocks that are accepted from peers on a chain ordered by a log. */
export interface BlocksFromPeers {
  /** Whether any block must come from peers at the moment. */
  isWanted(): boolean;
  /** Whether the block with this header is wanted, and was minted by a member. */
  mayTake(header: BlockHeader): boolean;
}

/** The part of the ordering that only raft has. */
export interface RaftOrdering {
  readonly membership: Membership;
  state(): ClusterState;
}
