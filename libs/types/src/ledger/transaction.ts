import type { Address } from '../address.js';
import type { Hash } from '../hash.js';

/** One entry of an EIP-2930 access list. */
export interface AccessListEntry {
  readonly address: Address;
  readonly storageKeys: readonly Hash[];
}

export type TransactionType = 'legacy' | 'accessList' | 'dynamicFee';

/** The fields common to all signed transactions, in any envelope. */
interface SignedTransactionFields {
  readonly hash: Hash;
  /** Recovered from the signature. */
  readonly sender: Address;
  /** EIP-2718 envelope, or the RLP list of a legacy transaction: the bytes as they arrived. */
  readonly raw: Uint8Array;
  /** Absent only on a legacy transaction without EIP-155 protection. */
  readonly chainId?: bigint;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Absent for a contract creation. */
  readonly to?: Address;
  /** Value in wei. */
  readonly value: bigint;
  readonly data: Uint8Array;
  /** As in the envelope: 27, 28 or EIP-155 for legacy, the parity for the others. */
  readonly v: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

export interface LegacyTransaction extends SignedTransactionFields {
  readonly type: 'legacy';
  readonly gasPrice: bigint;
}

export interface AccessListTransaction extends SignedTransactionFields {
  readonly type: 'accessList';
  readonly gasPrice: bigint;
  readonly accessList: readonly AccessListEntry[];
}

export interface DynamicFeeTransaction extends SignedTransactionFields {
  readonly type: 'dynamicFee';
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: readonly AccessListEntry[];
}

/** A transaction whose signature was recovered; all quantities are checked for their ranges. */
export type SignedTransaction = LegacyTransaction | AccessListTransaction | DynamicFeeTransaction;
