import type { Address, Hash } from '@tetrad/types';
import type { FlatWrite } from './flat-state-rows.js';
import type { JoinedRows } from './joined-rows.js';

/** A stored block; the ledger defines the meaning. Byte fields are as they are hashed or sent. */
export interface StoredBlock {
  readonly number: number;
  readonly hash: Hash;
  readonly stateRoot: Hash;
  /** Seconds since the epoch. */
  readonly timestamp: bigint;
  /** RLP of the header. */
  readonly header: Uint8Array;
  /** Transactions of the chain up to and including this block. */
  readonly totalTransactions: number;
}

/** A mined transaction with the fields of its receipt besides the logs. */
export interface StoredTransaction {
  readonly blockNumber: number;
  readonly index: number;
  readonly hash: Hash;
  readonly sender: Address;
  readonly raw: Uint8Array;
  readonly status: 0 | 1;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  readonly contractAddress?: Address;
  /** Index in the block of the first log, and how many there are. */
  readonly firstLog: number;
  readonly logCount: number;
  /** Output of a revert, on a node that keeps it. */
  readonly revertReason?: Uint8Array;
}

/** Position of a transaction in the chain. */
export interface TransactionPlace {
  readonly number: number;
  readonly index: number;
}

export interface PlacedTransaction extends TransactionPlace {
  readonly raw: Uint8Array;
  readonly sender: Address;
}

export interface StoredLog {
  readonly blockNumber: number;
  /** Index in the block. */
  readonly index: number;
  readonly transactionIndex: number;
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}

/** A log with its position in the chain. */
export interface FoundLog extends StoredLog {
  readonly blockHash: Hash;
  readonly blockTimestamp: bigint;
  readonly transactionHash: Hash;
}

export interface HashedBytes {
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}

/** Everything that is stored with a block. */
export interface BlockWrite {
  readonly block: StoredBlock;
  /** Hash of the block that must be the head when this one is appended. */
  readonly parentHash: Hash;
  readonly transactions: readonly StoredTransaction[];
  readonly logs: readonly StoredLog[];
  readonly nodes: readonly HashedBytes[];
  readonly codes: readonly HashedBytes[];
  readonly preimages: readonly HashedBytes[];
  /** Changes to the flat state; absent: none is kept. */
  readonly flat?: FlatWrite;
  /** Rows that other parts of the node store with the block. */
  readonly joined: readonly JoinedRows[];
}

/** Identity of the chain in a database. */
export interface ChainIdentity {
  readonly chainId: bigint;
  readonly genesisHash: Hash;
}

export interface PooledTransaction {
  readonly hash: Hash;
  readonly raw: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly acceptedMs: number;
}

export interface StoredPooledTransaction extends PooledTransaction {
  /** Ascending in the order of acceptance. */
  readonly sequence: bigint;
}

/** Conditions of a log search; blocks are inclusive. */
export interface LogQuery {
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly addresses: readonly Address[];
  readonly topics: readonly (readonly Hash[] | undefined)[];
  /** Rows after which the search stops. */
  readonly limit: number;
  /** Limit on the bytes of data of all rows together; unlimited when absent. */
  readonly maxDataBytes?: number | undefined;
  /** Whether logs of this node's private transactions count too. */
  readonly includePrivate?: boolean | undefined;
}
