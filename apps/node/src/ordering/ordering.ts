import type { SigningKey } from '@tetrad/crypto';
import type { ClusterState, Membership } from '@tetrad/node-consensus-raft';
import type { ConsensusOutcome, Enode, NodeId, PeerNetwork } from '@tetrad/node-peer';
import type { TransactionPool } from '@tetrad/node-pool';
import type { LedgerStore } from '@tetrad/node-store';
import type { ReadinessReason, ServiceEnvironment } from '@tetrad/service';
import type { Block, SealedHeader } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';

/** Takes part in ordering the blocks of the chain; the same interface for every engine. */
export interface Ordering {
  /** Takes a peer's message to the engine. Never throws; an engine without messages between nodes ignores it. */
  onMessage(message: Uint8Array): ConsensusOutcome;
  /** Why no blocks are produced at the moment, and what that stands against; empty when all is well. */
  reasons(): readonly ReadinessReason[];
  /** Whether this node produces and confirms blocks when it is its turn. */
  isActive(): boolean;
  /** Stops producing until `resume`; the node goes on following the chain. Resolves when no block is being built. */
  pause(): Promise<void>;
  /**
   * Takes part again, from the stored record.
   * @throws as the start does
   */
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
  /** Whether the block is wanted, and was minted by a member. */
  mayTake(block: SealedHeader): boolean;
}

/** The part of the ordering that only raft has. */
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
  readonly nodeKey: SigningKey;
  /**
   * A block from elsewhere, in RLP; nothing in it is verified but its senders.
   * @throws InvalidBlockError
   */
  readonly decodeBlock: (encoded: Uint8Array) => Promise<Block>;
  /** As they are listed; this node may be among them. */
  readonly staticNodes: readonly Enode[];
  readonly peers: Pick<PeerNetwork, 'announceUnrecorded' | 'broadcastConsensus' | 'peers' | 'sendConsensus'>;
}
