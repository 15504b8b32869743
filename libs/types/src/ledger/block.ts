import type { Address } from '../address.js';
import type { Hash } from '../hash.js';
import type { BlockHeader } from './header.js';
import type { Log, Receipt } from './receipt.js';
import type { SignedTransaction } from './transaction.js';

/** A header with its hash; the consensus engine defines the hash rule, so code elsewhere does not recompute it. */
export interface SealedHeader {
  readonly hash: Hash;
  readonly header: BlockHeader;
}

export interface Block extends SealedHeader {
  readonly transactions: readonly SignedTransaction[];
}

/** The position of a transaction in the chain. */
export interface TransactionPosition {
  readonly blockHash: Hash;
  readonly blockNumber: number;
  readonly blockTimestamp: bigint;
  readonly baseFeePerGas?: bigint;
  readonly transactionIndex: number;
}

export interface MinedTransaction {
  readonly transaction: SignedTransaction;
  readonly position: TransactionPosition;
}

export interface MinedReceipt extends MinedTransaction {
  readonly receipt: Receipt;
  /** Index in the block of the receipt's first log. */
  readonly firstLogIndex: number;
  /** Whether a private transaction may be behind the transaction; absent for no. */
  readonly isPrivacyMarker?: boolean;
}

export interface MinedLog {
  readonly log: Log;
  readonly blockHash: Hash;
  readonly blockNumber: number;
  readonly blockTimestamp: bigint;
  readonly transactionHash: Hash;
  readonly transactionIndex: number;
  /** Index in the block. */
  readonly logIndex: number;
}

/**
 * Which logs to find; blocks are inclusive.
 * A position of `topics` that is undefined matches any; a list matches any of its members.
 */
export interface LogFilter {
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly addresses: readonly Address[];
  readonly topics: readonly (readonly Hash[] | undefined)[];
  /** Whether logs of this node's private transactions count too. */
  readonly includePrivate?: boolean;
}
