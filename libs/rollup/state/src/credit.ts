import {
  NO_CONSENT,
  consentHash,
  inboundMoneyOrder,
  moneyOrderHash,
  openCredit,
  type ConsentTerms,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { accountHash, changedBalances, isReadable, type Account, type KnownAccount } from './account.js';
import type { Credit, RollupOperation } from './rollup-operation.js';

/** The batch that a credit would be in. */
export interface CreditBatch {
  /** Which rollup it is (`rollupDomain`). */
  readonly domain: bigint;
  readonly height: number;
  /** What the operation before it in the batch made, if its payer lets it be credited (`directOrder`). */
  readonly before: MoneyOrder | undefined;
}

/**
 * The order that the next operation of the batch may credit, as far as the payer decides.
 *
 * @param operation - that makes it
 * @returns undefined when it makes none, or its payer does not let it be credited; a deposit always may be
 */
export function directOrder(operation: RollupOperation): MoneyOrder | undefined {
  if (operation.kind === 'inboundTransfer') return inboundMoneyOrder(operation);
  return operation.kind === 'createMoneyOrder' && operation.isDirect === true ? operation.order : undefined;
}

/**
 * The credit that has to follow an operation in its batch. Whether the batch has a place for it is for the caller to know: without
 * one the order stays an order.
 *
 * @param batch - the batch, without what is before the credit
 * @param operation - which has just been executed
 * @param receiver - the account of its order, after the operation
 * @returns undefined when the payer or the receiver does not let it be credited
 */
export function creditAfter(
  batch: Omit<CreditBatch, 'before'>,
  operation: RollupOperation,
  receiver: KnownAccount | undefined,
): Credit | undefined {
  const order = directOrder(operation);
  if (order === undefined || receiver === undefined) return undefined;
  return isCreditable({ ...batch, before: order }, receiver, order) ? { kind: 'credit', order } : undefined;
}

/** Whether the consent of an account lets an order be credited in a batch, after what was before it. */
export function isCreditable(
  { domain, height, before }: CreditBatch,
  receiver: KnownAccount,
  order: MoneyOrder,
): boolean {
  const terms = openedBy(domain, receiver);
  if (terms === undefined || before === undefined || order.toAccountId !== receiver.id) return false;
  if (terms.tokenId !== order.tokenId || order.amount < terms.minimum || height > terms.untilHeight)
    return false;
  return moneyOrderHash(before) === moneyOrderHash(order);
}

/** What opens the consent that the account has. */
function openedBy(domain: bigint, account: KnownAccount): ConsentTerms | undefined {
  if (!isReadable(account) || account.consentTerms === undefined) return undefined;
  const { consent, consentTerms } = account;
  return consent !== NO_CONSENT && consentHash(domain, consentTerms) === consent ? consentTerms : undefined;
}

/** A credit as the contract published it. */
export interface PublicCredit {
  /** The leaf of the account afterwards. */
  readonly leaf: bigint;
  readonly totalIndex: number;
  /** The first word of its ciphertext. */
  readonly word: bigint;
}

/** What came by a credit, and what the account is then. */
export interface ReadCredit {
  readonly fromAccountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
  readonly after: Account;
}

/**
 * Reads a credit of an account whose consent is known.
 *
 * @param before - the account before it
 * @param credit - as it was published
 * @returns undefined when the terms of its consent are not known, or it does not lead to the leaf
 */
export function readCredit(
  before: Account,
  { leaf, totalIndex, word }: PublicCredit,
): ReadCredit | undefined {
  const { publicKey, consent, consentTerms } = before;
  if (consent === undefined || consentTerms === undefined) return undefined;
  const { secret, tokenId } = consentTerms;
  const came = openCredit({ publicKey, consent, secret, leaf, totalIndex }, word);
  if (came === undefined) return undefined;
  const after = { ...before, balances: changedBalances(before, tokenId, came.amount) };
  return accountHash(after) === leaf ? { ...came, tokenId, after } : undefined;
}
