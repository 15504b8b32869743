import { keccak256 } from '@tetrad/crypto';
import { addressToBytes, type Address } from '@tetrad/types';
import { decodeWord, encodeWord } from './field.js';
import { consentWords, type ConsentTerms } from './consent.js';
import { ciphertextHash, type Ciphertext } from './encryption.js';
import { isOnCurve, type Point } from './grumpkin.js';
import { jointKeyWords, type JointKey } from './joint-key.js';
import { moneyOrderWords, type MoneyOrder } from './money-order.js';
import { operationKinds } from './operation-kinds.js';
import { hashWords } from './poseidon2.js';

export interface AccountCreation {
  readonly kind: 'createAccount';
  readonly publicKey: Point;
  readonly jointKey: JointKey;
  readonly blindingFactor: bigint;
  readonly ciphertext: Ciphertext;
}

export interface MoneyOrderCreation {
  readonly kind: 'createMoneyOrder';
  readonly order: MoneyOrder;
  /** Nonce of this operation: the first of an account has 1. */
  readonly nonce: number;
  /** Whether it may be credited at once where its receiver has a consent (docs/adr/0253). Contracts before layout 3 take none that may. */
  readonly isDirect?: boolean | undefined;
  readonly ciphertext: Ciphertext;
}

export interface MoneyOrderRedemption {
  readonly kind: 'redeemMoneyOrder';
  readonly order: MoneyOrder;
  readonly totalIndex: number;
  /** Nonce of the receiving account. */
  readonly nonce: number;
  readonly ciphertext: Ciphertext;
}

export interface OutboundTransfer {
  readonly kind: 'outboundTransfer';
  readonly fromAccountId: number;
  readonly toEthereumAddress: Address;
  readonly tokenId: number;
  readonly amount: bigint;
  readonly nonce: number;
}

/** Gives, replaces or ends the consent of an account; contracts before layout 3 take none. */
export interface ConsentChange {
  readonly kind: 'setConsent';
  readonly accountId: number;
  /** `consentHash` of the terms, which the leaf has afterwards; `NO_CONSENT` ends the one there is. */
  readonly consent: bigint;
  /** What opens it; undefined for none, and for one that its reader cannot open. */
  readonly terms: ConsentTerms | undefined;
  readonly nonce: number;
  readonly ciphertext: Ciphertext;
}

/** What an account holder signs. */
export type SignedKind =
  AccountCreation | MoneyOrderCreation | MoneyOrderRedemption | OutboundTransfer | ConsentChange;

/** Of each kind by itself, so that the kind still decides. */
type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** Bits of the domain: with the three of the kind it is a field element. */
const DOMAIN_BITS = 248n;

/**
 * Which rollup an operation is for, so that no signature serves on another one: the highest 248 bits of
 * `keccak256(chain id(32) ‖ zeros(12) ‖ contract(20))`, as Rollup.sol computes it.
 */
export function rollupDomain(chainId: bigint, contract: Address): bigint {
  const bytes = new Uint8Array(64);
  bytes.set(encodeWord(chainId));
  bytes.set(addressToBytes(contract), 44);
  return decodeWord(keccak256(bytes)) >> (256n - DOMAIN_BITS);
}

/**
 * The hash that is signed, and the id of the operation: `H(domain · 8 + kind, seven fields, H(ciphertext words))`. The
 * fields are those of the method in parameter order, and zeros after them.
 *
 * Source: interface document, "Rollup operator interface"; docs/adr/0091
 */
export function operationHash(domain: bigint, operation: SignedKind): bigint {
  const fields = operationFields(operation);
  const zeros = Array.from({ length: FIELDS - fields.length }, () => 0n);
  const ciphertext = operation.kind === 'outboundTransfer' ? undefined : operation.ciphertext;
  const tag = domain * 8n + BigInt(operationKinds[operation.kind]);
  return hashWords([tag, ...fields, ...zeros, ciphertextHash(ciphertext)]);
}

const FIELDS = 7;

function operationFields(operation: SignedKind): bigint[] {
  switch (operation.kind) {
    case 'createAccount': {
      const { publicKey, jointKey, blindingFactor } = operation;
      return [publicKey.x, publicKey.y, ...jointKeyWords(jointKey), blindingFactor];
    }
    case 'createMoneyOrder':
      return [
        ...moneyOrderWords(operation.order),
        BigInt(operation.nonce),
        operation.isDirect === true ? 1n : 0n,
      ];
    case 'redeemMoneyOrder':
      return [...moneyOrderWords(operation.order), BigInt(operation.totalIndex), BigInt(operation.nonce)];
    case 'outboundTransfer': {
      const { fromAccountId, toEthereumAddress, tokenId, amount, nonce } = operation;
      return [BigInt(fromAccountId), BigInt(toEthereumAddress), BigInt(tokenId), amount, BigInt(nonce)];
    }
    case 'setConsent':
      return [BigInt(operation.accountId), operation.consent, 0n, 0n, BigInt(operation.nonce)];
  }
}

/**
 * What the operation's ciphertext says. That of a creation holds what its leaf hides, so that an operator with its key and
 * the chain alone knows the account.
 */
export function operationPlaintext(
  operation: DistributiveOmit<Exclude<SignedKind, OutboundTransfer>, 'ciphertext'>,
): bigint[] {
  switch (operation.kind) {
    case 'createAccount': {
      const { blindingFactor, publicKey, jointKey } = operation;
      return [blindingFactor, publicKey.x, publicKey.y, jointKey.user.x, jointKey.user.y];
    }
    case 'createMoneyOrder':
      return moneyOrderWords(operation.order);
    case 'redeemMoneyOrder':
      return [...moneyOrderWords(operation.order), BigInt(operation.totalIndex)];
    case 'setConsent':
      return consentWords(operation.consent, operation.terms);
  }
}

/**
 * What a ciphertext may say to be accepted. In a creation the blinding factor is enough, as in the interface document: such
 * an account is lost to an operator that loses its rows, until its holder registers once more.
 */
export function acceptedPlaintext(operation: Exclude<SignedKind, OutboundTransfer>): bigint[] {
  const words = operationPlaintext(operation);
  const isShort = operation.kind === 'createAccount' && operation.ciphertext.user.length === 1;
  return isShort ? words.slice(0, 1) : words;
}

/**
 * Reads the text of a creation with the operator's key.
 * @returns what the holder says, true or not; undefined for a short one, and when the words are no points of the curve
 */
export function creationOfWords(
  words: readonly bigint[],
  operatorKey: Point,
): Pick<AccountCreation, 'publicKey' | 'jointKey' | 'blindingFactor'> | undefined {
  const [blindingFactor, x, y, userX, userY] = words;
  if (words.length !== CREATION_WORDS || blindingFactor === undefined) return undefined;
  const publicKey = { x: x as bigint, y: y as bigint };
  const user = { x: userX as bigint, y: userY as bigint };
  if (!isOnCurve(publicKey) || !isOnCurve(user)) return undefined;
  return { publicKey, jointKey: { user, operator: operatorKey }, blindingFactor };
}

const CREATION_WORDS = 5;

/**
 * Whether the text of a creation says whose account it is, which contracts that freeze require.
 *
 * @param ciphertext - of the creation
 * @returns false for one that holds the blinding factor alone
 */
export function isFullCreation({ user, operator }: Ciphertext): boolean {
  return user.length === CREATION_WORDS && operator.length === CREATION_WORDS;
}
