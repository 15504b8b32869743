import { NO_CONSENT, inboundMoneyOrder, moneyOrderHash, type MoneyOrder } from '@tetrad/rollup-crypto';
import { balanceOf, changedBalances, type KnownAccount } from './account.js';
import { isCreditable, type CreditBatch } from './credit.js';
import { touchedAccountId, type RollupOperation } from './rollup-operation.js';
import { MAX_ACCOUNTS, MAX_TOKENS } from './tree-shape.js';

/** Why an operation that was accepted changes nothing after all. */
export type RejectionReason =
  | 'NONCE_TOO_LOW'
  | 'BALANCE_TOO_LOW'
  | 'BALANCE_TOO_HIGH'
  | 'ACCOUNT_NOT_FOUND'
  | 'ACCOUNT_ALREADY_EXISTS'
  | 'MONEY_ORDER_NOT_FOUND'
  | 'MONEY_ORDER_ALREADY_REDEEMED'
  | 'EARLIER_MONEY_ORDER_OPEN'
  /** A consent, or a payment that may be credited, where the contract has no consents. */
  | 'NO_CONSENTS'
  /** A credit that its payer or its receiver does not let be made, or not here. */
  | 'NOT_CREDITABLE';

/** What an operation changes. */
export interface Effects {
  /** The account before, undefined when it is new or none is touched. */
  readonly before: KnownAccount | undefined;
  readonly after: KnownAccount | undefined;
  /** The created money order. */
  readonly order: MoneyOrder | undefined;
}

export type Execution =
  | { readonly status: 'EXECUTED'; readonly effects: Effects }
  | { readonly status: 'REJECTED'; readonly reason: RejectionReason }
  /** The nonce is above the next one: operations before it are missing. */
  | { readonly status: 'WAITING' };

/** What executing an operation asks of the state. */
export interface StateView {
  account(id: number): KnownAccount | undefined;
  /** Hash of the money order at a total index of an earlier batch, undefined without one. */
  order(totalIndex: number): bigint | undefined;
  /**
   * Whether orders for the account with a total index above `after` and below `before` wait to be redeemed. Redeeming
   * a later one would forfeit them.
   */
  hasOpenOrder(accountId: number, after: number, before: number): boolean;
}

/** The state, and the batch that the operation would be in. */
export interface ExecutionView extends StateView {
  /** In a rollup with consents (`hasConsents` of its contract's layout); undefined in one without, whose leaves have eight words. */
  readonly credits: CreditBatch | undefined;
}

/** The amounts and balances of the rollup are below it. */
export const AMOUNT_LIMIT = 2n ** 64n;

/** Executes one operation: a pure function of view and operation, and the same rules that the circuit has. */
export function executeOperation(view: ExecutionView, operation: RollupOperation): Execution {
  if (operation.kind === 'inboundTransfer') {
    return executed({ before: undefined, after: undefined, order: inboundMoneyOrder(operation) });
  }
  if (isOfConsents(operation) && view.credits === undefined) return rejected('NO_CONSENTS');
  const before = view.account(touchedAccountId(operation) as number);
  if (operation.kind === 'createAccount') return createAccount(view, before, operation);
  if (before === undefined) return rejected('ACCOUNT_NOT_FOUND');
  if (operation.kind === 'credit') return credit(view, before, operation.order);
  if (operation.nonce <= before.nonce) return rejected('NONCE_TOO_LOW');
  if (operation.nonce > before.nonce + 1) return { status: 'WAITING' };
  switch (operation.kind) {
    case 'createMoneyOrder':
      return pay(before, operation.order.tokenId, operation.order.amount, operation.order);
    case 'outboundTransfer':
      return pay(before, operation.tokenId, operation.amount, undefined);
    case 'redeemMoneyOrder':
      return redeem(view, before, operation);
    case 'setConsent': {
      const { consent, terms: consentTerms } = operation;
      const after = { ...before, nonce: before.nonce + 1, consent, consentTerms };
      return executed({ before, after, order: undefined });
    }
  }
}

/** What no contract before layout 3 takes. */
function isOfConsents(operation: RollupOperation): boolean {
  const { kind } = operation;
  return (
    kind === 'setConsent' || kind === 'credit' || (kind === 'createMoneyOrder' && operation.isDirect === true)
  );
}

const executed = (effects: Effects): Execution => ({ status: 'EXECUTED', effects });
const rejected = (reason: RejectionReason): Execution => ({ status: 'REJECTED', reason });

function createAccount(
  { credits }: ExecutionView,
  before: KnownAccount | undefined,
  operation: Extract<RollupOperation, { kind: 'createAccount' }>,
): Execution {
  if (before !== undefined) return rejected('ACCOUNT_ALREADY_EXISTS');
  const { accountId: id, publicKey, jointKey, blindingFactor } = operation;
  if (id < 1 || id >= MAX_ACCOUNTS) return rejected('ACCOUNT_NOT_FOUND');
  const after = {
    id,
    publicKey,
    jointKey,
    blindingFactor,
    nonce: 0,
    redemptionIndex: 0,
    balances: new Map(),
    ...(credits === undefined ? {} : { consent: NO_CONSENT }),
  };
  return executed({ before, after, order: undefined });
}

function pay(
  before: KnownAccount,
  tokenId: number,
  amount: bigint,
  order: MoneyOrder | undefined,
): Execution {
  if (tokenId >= MAX_TOKENS || amount < 0n || balanceOf(before, tokenId) < amount)
    return rejected('BALANCE_TOO_LOW');
  const after = { ...before, nonce: before.nonce + 1, balances: changedBalances(before, tokenId, -amount) };
  return executed({ before, after, order });
}

function redeem(
  view: ExecutionView,
  before: KnownAccount,
  { order, totalIndex }: Extract<RollupOperation, { kind: 'redeemMoneyOrder' }>,
): Execution {
  if (totalIndex <= before.redemptionIndex) return rejected('MONEY_ORDER_ALREADY_REDEEMED');
  if (view.order(totalIndex) !== moneyOrderHash(order)) return rejected('MONEY_ORDER_NOT_FOUND');
  if (view.hasOpenOrder(before.id, before.redemptionIndex, totalIndex))
    return rejected('EARLIER_MONEY_ORDER_OPEN');
  // The contract holds less than 2^64 of any token, so an order that exists cannot lead here.
  if (balanceOf(before, order.tokenId) + order.amount >= AMOUNT_LIMIT) return rejected('BALANCE_TOO_HIGH');
  const balances = changedBalances(before, order.tokenId, order.amount);
  const after = { ...before, nonce: before.nonce + 1, redemptionIndex: totalIndex, balances };
  return executed({ before, after, order: undefined });
}

function credit({ credits }: ExecutionView, before: KnownAccount, order: MoneyOrder): Execution {
  if (credits === undefined || !isCreditable(credits, before, order)) return rejected('NOT_CREDITABLE');
  if (balanceOf(before, order.tokenId) + order.amount >= AMOUNT_LIMIT) return rejected('BALANCE_TOO_HIGH');
  const after = { ...before, balances: changedBalances(before, order.tokenId, order.amount) };
  return executed({ before, after, order: undefined });
}
