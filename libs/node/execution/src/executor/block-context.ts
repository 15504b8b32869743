import type { Address, Hash } from '@tetrad/types';

/** What a transaction may learn of the block it runs in. */
export interface BlockContext {
  readonly number: number;
  /** Seconds since the epoch; by them forks are chosen. */
  readonly timestamp: number;
  /** What TIMESTAMP answers on chains whose headers count in other units; the seconds when absent. */
  readonly evmTimestamp?: bigint;
  /** The EVM's COINBASE, which is paid for gas: the proposer. */
  readonly proposer: Address;
  readonly gasLimit: bigint;
  /** From London on; 0 on our chains. */
  readonly baseFeePerGas?: bigint;
  /** What BLOBBASEFEE answers; 1 when absent, since no blobs are taken. */
  readonly blobBaseFee?: bigint;
  readonly difficulty: bigint;
  /** PREVRANDAO under the rules that have it. */
  readonly mixHash: Hash;
  /** For BLOCKHASH: the hash of one of the 256 blocks before. */
  findBlockHash(number: number): Promise<Hash | undefined>;
}
