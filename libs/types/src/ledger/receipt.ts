import type { Address } from '../address.js';
import type { Hash } from '../hash.js';
import type { TransactionType } from './transaction.js';

/** What a contract emitted, without its place in the chain. */
export interface Log {
  readonly address: Address;
  /** At most four. */
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}

/** What a transaction left behind, in the order of the block. */
export interface Receipt {
  readonly type: TransactionType;
  /** 1 when it ran to its end, 0 when it was reverted. */
  readonly status: 0 | 1;
  readonly gasUsed: bigint;
  /** Gas of this transaction and of all before it in the block. */
  readonly cumulativeGasUsed: bigint;
  /** 256 bytes. */
  readonly logsBloom: Uint8Array;
  readonly logs: readonly Log[];
  /** Set when the transaction created a contract. */
  readonly contractAddress?: Address;
  /** What a revert returned, where this node keeps it; not hashed, and never empty. */
  readonly revertReason?: Uint8Array;
}
