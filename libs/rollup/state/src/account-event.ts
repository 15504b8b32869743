import type { ConsentTerms, MoneyOrder } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';

/** A money order for the account, by its total index. */
export interface ReceivedOrder {
  readonly totalIndex: number;
  readonly order: MoneyOrder;
}

/** What one operation of a batch was to the account. */
export type AccountEvent = {
  /** Where the operation is: the batch and the place in it. */
  readonly totalIndex: number;
} & (
  | { readonly kind: 'created'; readonly accountId: number }
  | { readonly kind: 'received'; readonly order: MoneyOrder }
  | {
      readonly kind: 'sent';
      readonly order: MoneyOrder;
      readonly nonce: number;
      /** Its receiver has it already, and redeems nothing. */
      readonly isCredited?: boolean | undefined;
    }
  | {
      readonly kind: 'consentChanged';
      readonly consent: bigint;
      /** Undefined for none, and where the text does not open the consent. */
      readonly terms: ConsentTerms | undefined;
      readonly nonce: number;
    }
  | {
      readonly kind: 'credited';
      /** 0 for a deposit. */
      readonly fromAccountId: number;
      readonly tokenId: number;
      readonly amount: bigint;
    }
  | {
      readonly kind: 'redeemed';
      readonly order: MoneyOrder;
      readonly orderIndex: number;
      readonly nonce: number;
    }
  | {
      readonly kind: 'withdrawn';
      readonly toEthereumAddress: Address;
      readonly tokenId: number;
      readonly amount: bigint;
      readonly nonce: number;
    }
);
