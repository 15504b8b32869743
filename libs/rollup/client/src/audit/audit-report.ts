import type { Address, Hash } from '@tetrad/types';
import type { ViewKey } from './view-key.js';

/** Where an operation is on the chain. */
export interface Place {
  /** Batch height and index in the batch, as one number. */
  readonly totalIndex: number;
  readonly batchHeight: number;
  readonly blockNumber: number;
  readonly transactionHash: Hash;
  /** Time of the block in seconds, as the client says it. */
  readonly timestamp: number;
}

/** An operation of the account, or an order for it, that was checked against the chain. */
export type AuditedOperation = Place &
  (
    | { readonly kind: 'created' }
    | {
        /** `credited` adds to the balance at once; a payment that was credited to its receiver is `sent`. */
        readonly kind: 'sent' | 'received' | 'credited';
        /** Account that is paid, or that paid; 0 is a deposit. */
        readonly otherAccountId: number;
        readonly tokenId: number;
        readonly amount: bigint;
        /** Nonce of the operation of the account. */
        readonly nonce: number | undefined;
      }
    | {
        readonly kind: 'consentChanged';
        /** Whether the account lets payments be credited from then on. */
        readonly isGiven: boolean;
        readonly nonce: number;
      }
    | {
        readonly kind: 'redeemed';
        readonly otherAccountId: number;
        readonly tokenId: number;
        readonly amount: bigint;
        readonly nonce: number;
        /** Total index of the order. */
        readonly orderIndex: number;
      }
    | {
        readonly kind: 'withdrawn';
        readonly toEthereumAddress: Address;
        readonly tokenId: number;
        readonly amount: bigint;
        readonly nonce: number;
      }
  );

/** An order that the account received in the period, and did not redeem in it. */
export interface UnredeemedOrder {
  readonly totalIndex: number;
  readonly fromAccountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
  /** `open` can be redeemed later; `forfeited` was passed by another redemption, and is lost. */
  readonly state: 'open' | 'forfeited';
}

/** The state of the contract after the period, when it was frozen in it. */
export interface FrozenState {
  /** Tokens whose closing balance has been paid out by the contract. */
  readonly withdrawnTokens: readonly number[];
  /** Of the open orders of the period. */
  readonly withdrawnOrders: readonly number[];
}

/** What an audit has shown. */
export interface AuditReport extends Pick<
  ViewKey,
  'chainId' | 'contract' | 'auditor' | 'purpose' | 'period'
> {
  readonly accountId: number;
  readonly publicKey: ViewKey['account']['publicKey'];
  /** State roots of the contract before and after the period. */
  readonly roots: { readonly opening: bigint; readonly closing: bigint };
  readonly opening: AccountTotals;
  readonly closing: AccountTotals;
  readonly operations: readonly AuditedOperation[];
  readonly unredeemed: readonly UnredeemedOrder[];
  /** Whether it is shown that no other order of the period was for the account. */
  readonly isReceivedComplete: boolean;
  /** Undefined while the contract is not frozen, or took batches after the period. */
  readonly frozen: FrozenState | undefined;
  /** The batches before and after the period, with which its dates are compared; undefined where the contract has no such batch. */
  readonly neighbours: { readonly before: number | undefined; readonly after: number | undefined };
}

/** An account at one end of the period; nonce and balances are 0 before it was made. */
export interface AccountTotals {
  readonly nonce: number;
  readonly redemptionIndex: number;
  readonly balances: ReadonlyMap<number, bigint>;
  /** The word of the leaf; 0 for none, and on contracts without consents. */
  readonly consent: bigint;
}
