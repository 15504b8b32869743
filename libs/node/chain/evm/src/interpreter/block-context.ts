import type { Supply } from '../world/state-source.js';
import type { Word } from '../word/word.js';

/** The fields of the block that an execution can read. */
export interface BlockContext extends Supply {
  readonly number: number;
  /** In the units of the chain's headers: seconds since the epoch, nanoseconds under raft. */
  readonly timestamp: Word;
  /** The EVM's COINBASE. */
  readonly coinbase: Word;
  /** The account that is paid for gas; the coinbase when absent. */
  readonly feeRecipient?: Word;
  readonly gasLimit: Word;
  /** From London on. */
  readonly baseFee: Word;
  /** DIFFICULTY, or PREVRANDAO under the rules that have it. */
  readonly difficulty: Word;
  readonly randomness: Word;
  /** BLOBBASEFEE; chains without blobs answer 1. */
  readonly blobBaseFee: Word;
  readonly chainId: Word;
  /** The hash of one of the 256 preceding blocks; 0 for any other number; undefined: not in memory. */
  blockHash(number: number): Word | undefined;
}
