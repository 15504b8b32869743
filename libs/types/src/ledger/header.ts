import type { Address } from '../address.js';
import type { Hash } from '../hash.js';

/**
 * A block header. The first fifteen fields are always there; each later one exists from its fork on
 * (docs/adr/0006-header-forks.md), and a later field never occurs without the ones before it.
 */
export interface BlockHeader {
  readonly parentHash: Hash;
  readonly ommersHash: Hash;
  /** QBFT: the proposer. IBFT: the candidate voted on, or zero. */
  readonly beneficiary: Address;
  readonly stateRoot: Hash;
  readonly transactionsRoot: Hash;
  readonly receiptsRoot: Hash;
  /** 256 bytes. */
  readonly logsBloom: Uint8Array;
  readonly difficulty: bigint;
  readonly number: number;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** Since the epoch; below 2^63. The unit depends on the consensus, seconds under BFT (docs/adr/0104) */
  readonly timestamp: bigint;
  readonly extraData: Uint8Array;
  readonly mixHash: Hash;
  /** 8 bytes. */
  readonly nonce: Uint8Array;
  /** From London, in wei. */
  readonly baseFeePerGas?: bigint;
  /** From Shanghai. */
  readonly withdrawalsRoot?: Hash;
  /** From Cancun. */
  readonly blobGasUsed?: bigint;
  /** From Cancun. */
  readonly excessBlobGas?: bigint;
  /** From Cancun. */
  readonly parentBeaconBlockRoot?: Hash;
  /** From Prague. */
  readonly requestsHash?: Hash;
}
