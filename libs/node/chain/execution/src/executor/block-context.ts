import type { Address, Hash } from '@tetrad/types';

/** The fields of the block that a transaction can read. */
export interface BlockContext {
  readonly number: number;
  /** Seconds since the epoch; by them forks are chosen. */
  readonly timestamp: number;
  /** Value of TIMESTAMP on chains whose headers do not count in seconds; the seconds when absent. */
  readonly evmTimestamp?: bigint;
  /** The EVM's COINBASE: the proposer. */
  readonly proposer: Address;
  /** The account that is paid for gas; the proposer when absent. */
  readonly feeRecipient?: Address;
  readonly gasLimit: bigint;
  /** From London on; 0 on our chains. */
  readonly baseFeePerGas?: bigint;
  /** Value of BLOBBASEFEE; 1 when absent, since blocks here have no blobs. */
  readonly blobBaseFee?: bigint;
  readonly difficulty: bigint;
  /** PREVRANDAO under the rules that have it. */
  readonly mixHash: Hash;
  /** For BLOCKHASH: the hash of one of the 256 blocks before. */
  findBlockHash(number: number): Promise<Hash | undefined>;
}
