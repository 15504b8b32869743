import type {
  AccountCreation,
  ConsentChange,
  MoneyOrder,
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

/**
 * Adds the order of the operation before it in the batch to the balance of its receiver, by the consent of that account
 * (docs/adr/0253). It is not signed; the order is in no tree then.
 */
export interface Credit {
  readonly kind: 'credit';
  readonly order: MoneyOrder;
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
  | (ConsentChange & Signed)
  | InboundTransfer
  | Credit;

/** The account whose leaf the operation changes; undefined for a deposit, which changes none. */
export function touchedAccountId(operation: RollupOperation): number | undefined {
  switch (operation.kind) {
    case 'createAccount':
      return operation.accountId;
    case 'createMoneyOrder':
      return operation.order.fromAccountId;
    case 'redeemMoneyOrder':
      return operation.order.toAccountId;
    case 'credit':
      return operation.order.toAccountId;
    case 'outboundTransfer':
      return operation.fromAccountId;
    case 'setConsent':
      return operation.accountId;
    case 'inboundTransfer':
      return undefined;
  }
}
