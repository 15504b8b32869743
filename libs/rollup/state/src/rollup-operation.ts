import type {
  AccountCreation,
  MoneyOrderCreation,
  MoneyOrderRedemption,
  OutboundTransfer,
  Signature,
} from '@tetrad/rollup-crypto';

/** A deposit on the contract, which becomes a money order in the next batch. */
export interface InboundTransfer {
  readonly kind: 'inboundTransfer';
  /** Index of the deposit on the contract, from 0. */
  readonly index: number;
  readonly accountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
}

interface Signed {
  readonly signature: Signature;
}

/** An operation that is in the tree under this id when it is done. */
type Registered = AccountCreation & { readonly accountId: number };

/** What a batch holds. Signatures, ciphertexts and account ids were checked before. */
export type RollupOperation =
  | (Registered & Signed)
  | (MoneyOrderCreation & Signed)
  | (MoneyOrderRedemption & Signed)
  | (OutboundTransfer & Signed)
  | InboundTransfer;

/** The account whose leaf the operation changes; undefined for a deposit, which changes none. */
export function touchedAccountId(operation: RollupOperation): number | undefined {
  switch (operation.kind) {
    case 'createAccount':
      return operation.accountId;
    case 'createMoneyOrder':
      return operation.order.fromAccountId;
    case 'redeemMoneyOrder':
      return operation.order.toAccountId;
    case 'outboundTransfer':
      return operation.fromAccountId;
    case 'inboundTransfer':
      return undefined;
  }
}
