import type { Supply } from '../world/state-source.js';
import type { Word } from '../word/word.js';

/** What an execution may learn of the block it runs in. */
export interface BlockContext extends Supply {
  readonly number: number;
  /** In the units of the chain's headers: seconds since the epoch, nanoseconds under raft. */
  readonly timestamp: Word;
  /** The EVM's COINBASE, which is paid for gas. */
  readonly coinbase: Word;
  readonly gasLimit: Word;
  /** From London on. */
  readonly baseFee: Word;
  /** DIFFICULTY, or PREVRANDAO under the rules that have it. */
  readonly difficulty: Word;
  readonly randomness: Word;
  /** BLOBBASEFEE; chains without blobs answer 1. */
  readonly blobBaseFee: Word;
  readonly chainId: Word;
  /** The hash of one of the 256 blocks before; 0 where there is none; undefined: not in memory. */
  blockHash(number: number): Word | undefined;
}
