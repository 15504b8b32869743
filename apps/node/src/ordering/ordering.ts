import type { ClusterState, Membership } from '@tetrad/node-consensus-raft';
import type { ConsensusOutcome, Enode, NodeId, PeerNetwork } from '@tetrad/node-peer';
import type { TransactionPool } from '@tetrad/node-pool';
import type { LedgerStore } from '@tetrad/node-store';
import type { ServiceEnvironment } from '@tetrad/service';
import type { Block, BlockHeader } from '@tetrad/types';
import type { NodeConfig } from '../config.js';

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

/** What an engine may build on. */
export interface OrderingParts {
  readonly config: NodeConfig;
  readonly environment: ServiceEnvironment;
  readonly store: LedgerStore;
  readonly pool: TransactionPool;
  readonly nodeKey: Uint8Array;
  /** A block from elsewhere, in RLP; nothing in it is verified but its senders. Fails: InvalidBlockError */
  readonly decodeBlock: (encoded: Uint8Array) => Promise<Block>;
  /** As they are listed; this node may be among them. */
  readonly staticNodes: readonly Enode[];
  readonly peers: Pick<PeerNetwork, 'broadcastConsensus' | 'peers' | 'sendConsensus'>;
}
