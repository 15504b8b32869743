import { keccak256, type RecoverableSignature } from '@tetrad/crypto';
import { envelopeOf, type TransactionEnvelope, type UnsignedTransaction } from '@tetrad/transactions';
import type { Address } from '@tetrad/types';
import { privateEnvelopeOf, type UnsignedPrivateTransaction } from './eea-transaction.js';

/** A transaction with everything decided. */
export type CompleteTransaction = UnsignedTransaction | UnsignedPrivateTransaction;

/** Keys that sign, wherever they are kept. */
export interface SigningAccounts {
  /** In ascending order. */
  list(): readonly Address[];
  has(account: Address): boolean;
  /**
   * Resolves when it is decided whether the key of an account is among those that are still being loaded; undefined when
   * there is nothing to wait for.
   * @throws RequestError KEY_LOADING when that takes too long
   */
  whenDecided?(account: Address): Promise<void> | undefined;
  /** @throws when the account is not held any more, or its key store does not answer */
  sign(account: Address, digest: Uint8Array): RecoverableSignature | Promise<RecoverableSignature>;
}

/** A signed transaction and what was signed for it. */
export interface SignedRaw {
  readonly raw: Uint8Array;
  /** 32 bytes. */
  readonly digest: Uint8Array;
}

/**
 * Signs with the account's key; EIP-155 for legacy and private ones.
 * @throws as `SigningAccounts.sign`
 */
export async function signTransaction(
  transaction: CompleteTransaction,
  account: Address,
  accounts: Pick<SigningAccounts, 'sign'>,
): Promise<SignedRaw> {
  const envelope = completeEnvelopeOf(transaction);
  const digest = keccak256(envelope.preimage());
  return { digest, raw: envelope.raw(await accounts.sign(account, digest)) };
}

/** The bytes whose keccak-256 is signed. */
export function preimageOf(transaction: CompleteTransaction): Uint8Array {
  return completeEnvelopeOf(transaction).preimage();
}

function completeEnvelopeOf(transaction: CompleteTransaction): TransactionEnvelope {
  return isPrivate(transaction) ? privateEnvelopeOf(transaction) : envelopeOf(transaction);
}

export function isPrivate(transaction: CompleteTransaction): transaction is UnsignedPrivateTransaction {
  return 'privateFrom' in transaction;
}
