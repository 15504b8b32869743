import type { AccessListEntry, Address } from '@tetrad/types';

/** A public transaction with everything decided but its signature. */
export interface UnsignedTransaction {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  /** Wei. */
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly fees: TransactionFees;
}

/** What is paid for gas, in wei, with the type of envelope that can say so. */
export type TransactionFees =
  | { readonly type: 'legacy'; readonly gasPrice: bigint }
  | {
      readonly type: 'accessList';
      readonly gasPrice: bigint;
      readonly accessList: readonly AccessListEntry[];
    }
  | {
      readonly type: 'dynamicFee';
      readonly maxFeePerGas: bigint;
      readonly maxPriorityFeePerGas: bigint;
      readonly accessList: readonly AccessListEntry[];
    };
