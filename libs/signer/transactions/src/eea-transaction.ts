import type { RecoverableSignature } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import { addressToBytes, bytesFromScalar, scalarFromBytes } from '@tetrad/types';
import type { Address, PtmKey } from '@tetrad/types';

/** A restricted private transaction with everything decided. It carries no ether. */
export interface UnsignedPrivateTransaction {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Wei. */
  readonly gasPrice: bigint;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  readonly data: Uint8Array;
  readonly privateFrom: PtmKey;
  /** PTM keys in the caller's order, or the id of a privacy group. */
  readonly recipients: readonly PtmKey[] | PtmKey;
}

const RESTRICTED = new TextEncoder().encode('restricted');

/**
 * The bytes whose keccak-256 is signed (EEA client specification; EIP-155).
 *
 * Layout: rlp[nonce, gasPrice, gas, to, value = 0, data, chainId, 0, 0, privateFrom (32), recipients, "restricted"]
 *         recipients: a list of keys (32 each), also of one; or the privacy group id (32)
 */
export function encodePrivateForSigning(transaction: UnsignedPrivateTransaction): Uint8Array {
  const none = new Uint8Array(0);
  const chain = [bytesFromScalar(transaction.chainId), none, none];
  return encodeRlp([...callOf(transaction), ...chain, ...privacyOf(transaction)]);
}

/**
 * The raw transaction.
 *
 * Layout: rlp[nonce, gasPrice, gas, to, value = 0, data, v, r, s, privateFrom (32), recipients, "restricted"],
 *         v = parity + 35 + 2 · chainId; r and s are integers: leading zero bytes are left out
 */
export function encodePrivateSigned(
  transaction: UnsignedPrivateTransaction,
  { r, s, parity }: RecoverableSignature,
): Uint8Array {
  const v = BigInt(parity) + 35n + 2n * transaction.chainId;
  const signature = [v, scalarFromBytes(r), scalarFromBytes(s)].map((value) => bytesFromScalar(value));
  return encodeRlp([...callOf(transaction), ...signature, ...privacyOf(transaction)]);
}

function callOf({ nonce, gasPrice, gasLimit, to, data }: UnsignedPrivateTransaction): Uint8Array[] {
  const none = new Uint8Array(0);
  return [
    bytesFromScalar(nonce),
    bytesFromScalar(gasPrice),
    bytesFromScalar(gasLimit),
    to === undefined ? none : addressToBytes(to),
    none,
    data,
  ];
}

function privacyOf({ privateFrom, recipients }: UnsignedPrivateTransaction) {
  const named = typeof recipients === 'string' ? keyBytes(recipients) : recipients.map(keyBytes);
  return [keyBytes(privateFrom), named, RESTRICTED];
}

function keyBytes(key: PtmKey): Uint8Array {
  return new Uint8Array(Buffer.from(key, 'base64'));
}
