import type { AccessListEntry, Address } from '@tetrad/types';

/** A public transaction complete but for its signature. */
export interface UnsignedTransaction {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  /** Value in wei. */
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly fees: TransactionFees;
}

/** The fee fields, in wei, with the envelope type that has them. */
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
