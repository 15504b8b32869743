import type { ClusterState, Membership } from '@tetrad/node-consensus-raft';
import type { ConsensusOutcome, NodeId } from '@tetrad/node-peer';
import type { BlockHeader } from '@tetrad/types';

/** How the blocks of the chain get their order, and this node's part in it; the same for every engine. */
export interface Ordering {
  /** Takes what a peer says to the engine. Never throws; an engine whose nodes do not talk to each other ignores it. */
  onMessage(message: Uint8Array): ConsensusOutcome;
  /** Why no block comes at the moment; undefined when all is well. */
  trouble(): string | undefined;
  /** Whether this node makes and confirms blocks when it is its turn. */
  isActive(): boolean;
  /** Ends this node's part until `resume`; it goes on following the chain. Resolves when nothing is in the making. */
  pause(): Promise<void>;
  /** Takes part again from what is stored. Fails: as the start does */
  resume(): Promise<void>;
  /** Resolves when nothing is in the making any more; what is not in a block stays in the pool. */
  stop(): Promise<void>;
  /** Whether a node may be a peer; absent where the engine does not say so. */
  readonly isMember?: (nodeId: NodeId) => boolean;
  /** Which block peers may give; absent where any block that is valid may come from them. */
  readonly fromPeers?: BlocksFromPeers;
  /** Absent where no log orders the blocks. */
  readonly raft?: RaftOrdering;
}

/** What may come from peers where they do not decide on blocks. */
export interface BlocksFromPeers {
  /** Whether there is any that must come from them at the moment. */
  isWanted(): boolean;
  /** Whether the block with this header is wanted, and was minted by a member. */
  mayTake(header: BlockHeader): boolean;
}

/** What only a cluster has whose log orders the blocks. */
export interface RaftOrdering {
  readonly membership: Membership;
  state(): ClusterState;
}
