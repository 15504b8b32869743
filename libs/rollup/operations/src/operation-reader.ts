import {
  consentHash,
  decodeCiphertext,
  decodeSignature,
  type Ciphertext,
  type ConsentChange,
  type MoneyOrder,
  type MoneyOrderCreation,
  type MoneyOrderRedemption,
  type OutboundTransfer,
  type Signature,
} from '@tetrad/rollup-crypto';
import { RequestError } from '@tetrad/types';

/** The bytes that come with an operation that is encrypted. */
export interface EncryptedBytes {
  readonly ciphertext: Uint8Array;
  readonly signature: Uint8Array;
}

type Signed<Operation> = Operation & { readonly signature: Signature };

/** @throws RequestError for an invalid ciphertext or signature */
export function readMoneyOrderCreation(
  order: MoneyOrder,
  nonce: number,
  bytes: EncryptedBytes,
): Signed<MoneyOrderCreation> {
  return { kind: 'createMoneyOrder', order, nonce, ...readEncrypted(bytes) };
}

/**
 * Reads a change of a consent.
 *
 * @param domain - which rollup it is for
 * @param change - whose, what opens the consent (undefined to end it), and the nonce
 * @param bytes - the text and the signature
 * @returns the operation, with the consent that these terms open and no other
 * @throws RequestError for an invalid ciphertext or signature
 */
export function readConsentChange(
  domain: bigint,
  { accountId, terms, nonce }: Pick<ConsentChange, 'accountId' | 'terms' | 'nonce'>,
  bytes: EncryptedBytes,
): Signed<ConsentChange> {
  const consent = consentHash(domain, terms);
  return { kind: 'setConsent', accountId, consent, terms, nonce, ...readEncrypted(bytes) };
}

/** @throws as `readMoneyOrderCreation` */
export function readMoneyOrderRedemption(
  { order, totalIndex, nonce }: Pick<MoneyOrderRedemption, 'order' | 'totalIndex' | 'nonce'>,
  bytes: EncryptedBytes,
): Signed<MoneyOrderRedemption> {
  return { kind: 'redeemMoneyOrder', order, totalIndex, nonce, ...readEncrypted(bytes) };
}

/** @throws RequestError for an invalid signature */
export function readOutboundTransfer(
  transfer: Omit<OutboundTransfer, 'kind'>,
  signature: Uint8Array,
): Signed<OutboundTransfer> {
  return { kind: 'outboundTransfer', ...transfer, signature: readSignature(signature) };
}

function readEncrypted(bytes: EncryptedBytes): { ciphertext: Ciphertext; signature: Signature } {
  const signature = readSignature(bytes.signature);
  const ciphertext = decodeCiphertext(bytes.ciphertext);
  if (ciphertext === undefined) throw invalidEncryption('the text is not of the form of a ciphertext');
  return { ciphertext, signature };
}

function readSignature(bytes: Uint8Array): Signature {
  const signature = decodeSignature(bytes);
  if (signature === undefined) throw invalidSignature('R is not a point of the curve, or s is out of range');
  return signature;
}

export function invalidSignature(why: string): RequestError {
  return new RequestError('INVALID_ACCOUNT_SIGNATURE', `the signature is not valid: ${why}`);
}

export function invalidEncryption(why: string): RequestError {
  return new RequestError('INVALID_ENCRYPTION', `the encryption is not valid: ${why}`);
}
