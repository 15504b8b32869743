import {
  consentHash,
  deriveRandomizationFactor,
  encrypt,
  operationHash,
  operationPlaintext,
  randomBlindingFactor,
  randomScalar,
  sign,
  type AccountCreation,
  type ConsentChange,
  type ConsentTerms,
  type JointKey,
  type MoneyOrder,
  type MoneyOrderCreation,
  type MoneyOrderRedemption,
  type OutboundTransfer,
  type Point,
  type Signature,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';
import { jointKeyOf, type RollupKeys } from '../keys/rollup-keys.js';

/** What of a rollup goes into every operation. */
export interface RollupParameters {
  /** Which rollup it is (rollupDomain). */
  readonly domain: bigint;
  /** The operator's half of joint keys. */
  readonly operatorKey: Point;
}

/** An operation that can be submitted. */
export interface Signed<Operation extends SignedKind> {
  readonly operation: Operation;
  /** The signed hash, which is the id of the operation. */
  readonly hash: bigint;
  readonly signature: Signature;
}

/** With the secret scalar of its ciphertext, by which the operator checks it. */
export interface SignedWithCiphertext<Operation extends SignedKind> extends Signed<Operation> {
  readonly randomizationFactor: bigint;
}

export function signAccountCreation(
  rollup: RollupParameters,
  keys: RollupKeys,
): SignedWithCiphertext<AccountCreation> {
  const { publicKey } = keys;
  const jointKey = jointKeyOf(keys, rollup.operatorKey);
  const fields = {
    kind: 'createAccount',
    publicKey,
    jointKey,
    blindingFactor: randomBlindingFactor(),
  } as const;
  return signEncrypted(rollup, keys, { fields, readers: jointKey, randomizationFactor: randomScalar() });
}

/** An order to be made. */
export interface Payment {
  readonly fromAccountId: number;
  readonly toAccountId: number;
  /** Of the receiver. */
  readonly toJointKey: JointKey;
  readonly tokenId: number;
  /** Units of the rollup, below 2^64. */
  readonly amount: bigint;
  /** That of the account's latest operation plus 1. */
  readonly nonce: number;
  /** How many operations were signed with this nonce before. */
  readonly attempt: number;
  /** Whether it may be credited where its receiver has a consent: payer and receiver are public then. */
  readonly isDirect?: boolean | undefined;
}

/**
 * A payment to another account. The randomization factor follows from the key, the nonce and the attempt, so that the payer
 * can read the order on the chain without having kept anything; two orders must never share the three.
 */
export function signMoneyOrder(
  rollup: RollupParameters,
  keys: RollupKeys,
  payment: Payment,
): SignedWithCiphertext<MoneyOrderCreation> {
  const { fromAccountId, toAccountId, tokenId, amount, nonce, attempt } = payment;
  const order = { fromAccountId, toAccountId, tokenId, amount, blindingFactor: randomBlindingFactor() };
  const { domain } = rollup;
  return signEncrypted(rollup, keys, {
    fields: {
      kind: 'createMoneyOrder',
      order,
      nonce,
      ...(payment.isDirect === true ? { isDirect: true } : {}),
    } as const,
    readers: payment.toJointKey,
    randomizationFactor: deriveRandomizationFactor(keys.secretKey, { domain, nonce, attempt }),
  });
}

/** Turns a received order into balance. */
export function signRedemption(
  rollup: RollupParameters,
  keys: RollupKeys,
  redeemed: { readonly order: MoneyOrder; readonly totalIndex: number; readonly nonce: number },
): SignedWithCiphertext<MoneyOrderRedemption> {
  return signEncrypted(rollup, keys, {
    fields: { kind: 'redeemMoneyOrder', ...redeemed } as const,
    readers: jointKeyOf(keys, rollup.operatorKey),
    randomizationFactor: randomScalar(),
  });
}

/**
 * A consent, or its end.
 *
 * @param rollup - with the operator's key of the account
 * @param keys - of the account
 * @param change - whose, what it lets be credited (undefined to end it), and the nonce
 * @returns the signed operation
 */
export function signConsentChange(
  rollup: RollupParameters,
  keys: RollupKeys,
  change: { readonly accountId: number; readonly terms: ConsentTerms | undefined; readonly nonce: number },
): SignedWithCiphertext<ConsentChange> {
  const consent = consentHash(rollup.domain, change.terms);
  return signEncrypted(rollup, keys, {
    fields: { kind: 'setConsent', ...change, consent } as const,
    readers: jointKeyOf(keys, rollup.operatorKey),
    randomizationFactor: randomScalar(),
  });
}

/** A payment out of the rollup. Account, address, token and amount are public. */
export function signOutboundTransfer(
  { domain }: RollupParameters,
  { secretKey }: RollupKeys,
  transfer: {
    readonly fromAccountId: number;
    readonly toEthereumAddress: Address;
    readonly tokenId: number;
    readonly amount: bigint;
    readonly nonce: number;
  },
): Signed<OutboundTransfer> {
  const operation = { kind: 'outboundTransfer', ...transfer } as const;
  const hash = operationHash(domain, operation);
  return { operation, hash, signature: sign(secretKey, hash) };
}

type Encrypted = AccountCreation | MoneyOrderCreation | MoneyOrderRedemption | ConsentChange;

/** @param input - the operation without its ciphertext, and who can read that */
function signEncrypted<Operation extends Encrypted>(
  { domain }: RollupParameters,
  { secretKey }: RollupKeys,
  input: {
    readonly fields: Omit<Operation, 'ciphertext'>;
    readonly readers: JointKey;
    readonly randomizationFactor: bigint;
  },
): SignedWithCiphertext<Operation> {
  const { fields, readers, randomizationFactor } = input;
  const words = operationPlaintext(fields as unknown as Operation);
  const operation = { ...fields, ciphertext: encrypt(words, readers, randomizationFactor) } as Operation;
  const hash = operationHash(domain, operation);
  return { operation, hash, signature: sign(secretKey, hash), randomizationFactor };
}
