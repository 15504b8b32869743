import type { Address, Block, Hash, SealedHeader, TraceHeaders } from '@tetrad/types';
import type { Endpoint } from './identity/enode.js';
import type { NodeId } from './identity/node-id.js';
import type { StateAnswers } from './wire/state-answer.js';
import type { StateKind, StateQuestions } from './wire/state-request.js';

/** Outcome of a block that a peer sent. An exception is a failure of this node, never of the peer. */
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
  /** @throws with any error when the bytes are not a block of this chain */
  decode(raw: Uint8Array): Promise<Block>;
  /**
   * Checks seals and everything else that headers show, before anything is executed. The caller has checked that the
   * blocks follow each other, and the first follows the parent.
   * @returns the rule broken, or undefined
   */
  verifyHeaders(blocks: readonly Block[], parent: SealedHeader): Promise<string | undefined>;
  importBlock(block: Block): Promise<ImportOutcome>;
  /** Time until a block with valid headers may be imported by this node's clock; 0 when it may be now. Units: ms */
  earlyMs(block: SealedHeader): number;
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

/** `invalid` for bytes that no honest node passes on; `refused` for every other rule of the pool. */
export type PoolOutcome = 'accepted' | 'refused' | 'invalid';

/** The pool as peers see it. */
export interface PoolPort {
  has(hash: Hash): boolean;
  find(hash: Hash): Uint8Array | undefined;
  /** Outcomes in the order of the transactions. An exception is a failure of this node. */
  add(transactions: readonly RawTransaction[]): Promise<readonly PoolOutcome[]>;
  /** Calls the listener for every accepted transaction, whatever its origin; the result removes it. */
  onAdded(listener: (transaction: RawTransaction) => void): () => void;
  /** Waiting transactions, oldest first, at most so many. */
  hashes(limit: number): readonly Hash[];
}

/** `ignored` is not a fault: a message of another round, or one that was there before. */
export type ConsensusOutcome = 'accepted' | 'ignored' | 'invalid';

/** The consensus engine as peers see it. */
export interface ConsensusPort {
  onMessage(message: Uint8Array, from: NodeId): ConsensusOutcome | Promise<ConsensusOutcome>;
  /** Validators of the next block, which are the recipients of messages. */
  validators(): readonly Address[];
}

/** Checked when a connection is made and with every message. */
export interface ConnectionRequest extends Endpoint {
  readonly nodeId: NodeId;
  readonly direction: 'inbound' | 'outbound';
}

export type IsAllowed = (request: ConnectionRequest) => boolean;

/** Two running nodes with one key; they may sign contradicting messages. */
export interface DuplicateKey {
  readonly nodeId: NodeId;
  /** Whether it is the key of this node. */
  readonly isOwn: boolean;
  /** Their known addresses, `host:port`. */
  readonly addresses: readonly string[];
}

/** The traces of transactions, which are passed on with them. */
export interface TracePort {
  of(hash: Hash): TraceHeaders | undefined;
  received(hash: Hash, headers: TraceHeaders): void;
}

/** Receives the hashes (64 bytes) of payloads of the transaction managers that peers announce. */
export interface NoticePort {
  /** Never fails and never waits. */
  received(hash: Uint8Array, from: NodeId): void;
}

/**
 * What this node has for peers without a state: headers, parts of the public state, and validators that a contract names.
 * Answers are within the bounds of the question, and their first item is there whatever those are.
 */
export type StatePort = {
  readonly [Kind in StateKind]: (question: StateQuestions[Kind]) => Promise<StateAnswers[Kind]>;
};

export interface PeerPorts {
  readonly chain: ChainPort;
  /** Absent on a node that answers no questions about the state. */
  readonly state?: StatePort | undefined;
  readonly pool: PoolPort;
  readonly consensus: ConsensusPort;
  readonly isAllowed?: IsAllowed;
  readonly onDuplicateKey?: (duplicate: DuplicateKey) => void;
  /** Absent where tracing is off. */
  readonly traces?: TracePort | undefined;
  /** Absent on a node without a transaction manager. */
  readonly notices?: NoticePort | undefined;
}
