import type { Address } from '../address.js';
import type { Hash } from '../hash.js';
import type { TransactionType } from './transaction.js';

/** A log as the contract emitted it, without its position in the chain. */
export interface Log {
  readonly address: Address;
  /** At most four. */
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}

/** The results of a transaction, in the order of the block. */
export interface Receipt {
  readonly type: TransactionType;
  /** 1 when it ran to its end, 0 when it was reverted. */
  readonly status: 0 | 1;
  /** The state root after the transaction, hashed in place of the status before Byzantium. */
  readonly stateRoot?: Hash;
  readonly gasUsed: bigint;
  /** Gas of this transaction and of all before it in the block. */
  readonly cumulativeGasUsed: bigint;
  /** 256 bytes. */
  readonly logsBloom: Uint8Array;
  readonly logs: readonly Log[];
  /** Set when the transaction created a contract. */
  readonly contractAddress?: Address;
  /** The revert data, where this node keeps it; not hashed, and never empty. */
  readonly revertReason?: Uint8Array;
}
