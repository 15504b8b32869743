import type { Address, Block, Hash, SealedHeader } from '@tetrad/types';
import type { Endpoint } from './identity/enode.js';
import type { NodeId } from './identity/node-id.js';

/** What became of a block that a peer sent. What throws instead is this node's own trouble, never the peer's. */
export type ImportOutcome =
  | { readonly kind: 'imported' }
  /** It is in the chain already. */
  | { readonly kind: 'known' }
  | { readonly kind: 'invalid'; readonly reason: string };

/** The chain as peers see it. */
export interface ChainPort {
  /** The newest block; everything up to it is stored. */
  head(): SealedHeader;
  /** Whether the block after the head is final here and only being stored, so that no peer needs to send it. */
  isStoring(): boolean;
  /** Encoded blocks from a number on: at least the first when there is one, and no more once the budget is used up. */
  readRange(from: number, limit: number, byteBudget: number): Promise<readonly Uint8Array[]>;
  /** Fails: with any error when the bytes are not a block of this chain. */
  decode(raw: Uint8Array): Promise<Block>;
  /**
   * Checks seals and all else that headers show, before anything is executed. The blocks follow each other, and the
   * first follows the parent: that was checked.
   *
   * Out: the rule broken, or undefined
   */
  verifyHeaders(blocks: readonly Block[], parent: SealedHeader): Promise<string | undefined>;
  importBlock(block: Block): Promise<ImportOutcome>;
  /**
   * Whether blocks are requested from peers and imported; without it they always are. When false, the chain gets its
   * blocks from elsewhere, as the chains of its peers do, which then only get announcements of its head.
   */
  takesBlocks?(): boolean;
}

/** A transaction and its bytes as they are signed. */
export interface RawTransaction {
  readonly hash: Hash;
  readonly raw: Uint8Array;
}

/** `invalid` is said of bytes that no honest node passes on; every other rule of the pool gives `refused`. */
export type PoolOutcome = 'accepted' | 'refused' | 'invalid';

/** The pool as peers see it. */
export interface PoolPort {
  has(hash: Hash): boolean;
  find(hash: Hash): Uint8Array | undefined;
  /** Outcomes in the order of the transactions. What throws is this node's own trouble. */
  add(transactions: readonly RawTransaction[]): Promise<readonly PoolOutcome[]>;
  /** Calls the listener for every accepted transaction, wherever it came from; the result ends that. */
  onAdded(listener: (transaction: RawTransaction) => void): () => void;
  /** Waiting transactions, oldest first, at most so many. */
  hashes(limit: number): readonly Hash[];
}

/** `ignored` is not a fault: a message of another round, or one that was there before. */
export type ConsensusOutcome = 'accepted' | 'ignored' | 'invalid';

/** The consensus engine as peers see it. */
export interface ConsensusPort {
  onMessage(message: Uint8Array, from: NodeId): ConsensusOutcome | Promise<ConsensusOutcome>;
  /** Validators of the block that is being made: to whom messages go. */
  validators(): readonly Address[];
}

/** Asked when a connection is made and with every message. */
export interface ConnectionRequest extends Endpoint {
  readonly nodeId: NodeId;
  readonly direction: 'inbound' | 'outbound';
}

export type IsAllowed = (request: ConnectionRequest) => boolean;

/** Two running nodes with one key; each may sign what the other does not know of. */
export interface DuplicateKey {
  readonly nodeId: NodeId;
  /** Whether it is the key of this node. */
  readonly isOwn: boolean;
  /** Where they are, as far as is known, `host:port`. */
  readonly addresses: readonly string[];
}

export interface PeerPorts {
  readonly chain: ChainPort;
  readonly pool: PoolPort;
  readonly consensus: ConsensusPort;
  readonly isAllowed?: IsAllowed;
  readonly onDuplicateKey?: (duplicate: DuplicateKey) => void;
}
