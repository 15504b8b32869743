import type { rollupHolderMethods } from './tables.js';

/** Where a record has the account. */
export type AccountField = 'accountId' | 'fromAccountId' | 'toAccountId';

/** How a method names the account that it reads or sends for, by which a token that is bound to accounts is checked. */
export type AccountRule =
  /** By a parameter; one that is left out stands for every account, and then the answer holds those of the token. */
  | { readonly by: 'parameter'; readonly name: string }
  /** By the record that it finds: one of another account is null, as one that does not exist. */
  | { readonly by: 'answer'; readonly account: AccountField }
  /** It makes an account, which no token can be bound to yet. */
  | { readonly by: 'registration'; readonly name: string }
  /** The keys of an account are for everyone who pays it. */
  | { readonly by: 'nothing' };

const parameter = (name: string) => ({ by: 'parameter', name }) as const;
const answer = (account: AccountField) => ({ by: 'answer', account }) as const;

/** The account that signs is the one that counts: the payer of an order and of a transfer out, the receiver that redeems. */
export const accountRules: Readonly<Record<keyof typeof rollupHolderMethods, AccountRule>> = {
  pazkp_createAccount: { by: 'registration', name: 'publicKey' },
  pazkp_findAccountById: { by: 'nothing' },
  pazkp_findAccountByPublicKey: { by: 'nothing' },
  pazkp_getAccountNonce: parameter('accountId'),
  pazkp_getAccountState: parameter('accountId'),
  pazkp_createMoneyOrder: parameter('fromAccountId'),
  pazkp_findMoneyOrderCreation: answer('fromAccountId'),
  pazkp_findReceivedMoneyOrder: parameter('accountId'),
  pazkp_listMoneyOrderCreations: parameter('fromAccountId'),
  pazkp_listMoneyOrdersReceived: parameter('toAccountId'),
  pazkp_redeemMoneyOrder: parameter('toAccountId'),
  pazkp_findMoneyOrderRedemption: answer('toAccountId'),
  pazkp_listMoneyOrderRedemptions: parameter('toAccountId'),
  pazkp_createOutboundTransfer: parameter('fromAccountId'),
  pazkp_findOutboundTransfer: answer('fromAccountId'),
  pazkp_listOutboundTransferCreations: parameter('fromAccountId'),
  rollup_setConsent: parameter('accountId'),
  rollup_revokeConsent: parameter('accountId'),
  rollup_findConsentChange: answer('accountId'),
  rollup_listConsentChanges: parameter('accountId'),
  rollup_getAccountState: parameter('accountId'),
  rollup_createDirectMoneyOrder: parameter('fromAccountId'),
  rollup_listCredits: parameter('toAccountId'),
};
