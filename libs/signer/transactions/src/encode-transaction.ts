import type { RecoverableSignature } from '@tetrad/crypto';
import { encodeRlp, type RlpTree } from '@tetrad/rlp';
import { addressToBytes, bytesFromScalar, hashToBytes } from '@tetrad/types';
import type { AccessListEntry, Address } from '@tetrad/types';

/** A public transaction with everything decided; the fee members that are set say which type it is. */
export interface UnsignedTransaction {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  /** Wei. */
  readonly value: bigint;
  readonly data: Uint8Array;
  /** Wei; for legacy and access-list transactions. */
  readonly gasPrice?: bigint | undefined;
  /** Wei; a dynamic-fee transaction has this and the next. */
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly accessList?: readonly AccessListEntry[] | undefined;
}

/** EIP-2718 types: legacy, EIP-2930 (access list), EIP-1559 (dynamic fee). */
export type EnvelopeType = 0 | 1 | 2;

/**
 * The type that the members ask for: dynamic-fee with both of its fees, access-list with a list, otherwise legacy.
 *
 * Source: signing-proxy.md, section 5: one fee alone does not make a dynamic-fee transaction
 */
export function envelopeTypeOf(transaction: UnsignedTransaction): EnvelopeType {
  const { maxFeePerGas, maxPriorityFeePerGas, accessList } = transaction;
  if (maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined) return 2;
  return accessList === undefined ? 0 : 1;
}

/** A transaction in its envelope, which the bytes to sign and the signed ones have in common. */
export interface TransactionEnvelope {
  /** As `encodeForSigning`. */
  preimage(): Uint8Array;
  /** As `encodeSigned`. */
  raw(signature: RecoverableSignature): Uint8Array;
}

/** Encodes the members once for both. */
export function envelopeOf(transaction: UnsignedTransaction): TransactionEnvelope {
  const type = envelopeTypeOf(transaction);
  const body = bodyOf(transaction, type);
  const { chainId } = transaction;
  if (type === 0) {
    return {
      preimage: () => encodeRlp([...body, scalar(chainId), scalar(0n), scalar(0n)]),
      raw: ({ r, s, parity }) =>
        encodeRlp([...body, scalar(BigInt(parity) + 35n + 2n * chainId), trimmed(r), trimmed(s)]),
    };
  }
  return {
    preimage: () => typed(type, body),
    raw: ({ r, s, parity }) => typed(type, [...body, scalar(parity), trimmed(r), trimmed(s)]),
  };
}

/**
 * The bytes whose keccak-256 is signed.
 *
 * Layout: legacy (EIP-155)  rlp[nonce, gasPrice, gas, to, value, data, chainId, 0, 0]
 *         access list       0x01 ‖ rlp[chainId, nonce, gasPrice, gas, to, value, data, accessList]
 *         dynamic fee       0x02 ‖ rlp[chainId, nonce, tip, maxFee, gas, to, value, data, accessList]
 */
export function encodeForSigning(transaction: UnsignedTransaction): Uint8Array {
  return envelopeOf(transaction).preimage();
}

/**
 * The raw transaction.
 *
 * Layout: legacy  rlp[nonce, gasPrice, gas, to, value, data, v, r, s], v = parity + 35 + 2 · chainId
 *         others  type ‖ rlp[what was signed, parity, r, s]
 *         r and s are integers: leading zero bytes are left out
 */
export function encodeSigned(transaction: UnsignedTransaction, signature: RecoverableSignature): Uint8Array {
  return envelopeOf(transaction).raw(signature);
}

function bodyOf(transaction: UnsignedTransaction, type: EnvelopeType): RlpTree[] {
  const { chainId, nonce, gasLimit, to, value, data, accessList } = transaction;
  const call = [
    scalar(gasLimit),
    to === undefined ? new Uint8Array(0) : addressToBytes(to),
    scalar(value),
    data,
  ];
  if (type === 2) {
    const fees = [scalar(transaction.maxPriorityFeePerGas ?? 0n), scalar(transaction.maxFeePerGas ?? 0n)];
    return [scalar(chainId), scalar(nonce), ...fees, ...call, accessItems(accessList)];
  }
  const priced = [scalar(nonce), scalar(transaction.gasPrice ?? 0n), ...call];
  return type === 1 ? [scalar(chainId), ...priced, accessItems(accessList)] : priced;
}

function accessItems(accessList: readonly AccessListEntry[] = []): RlpTree[] {
  return accessList.map(({ address, storageKeys }) => [
    addressToBytes(address),
    storageKeys.map((key) => hashToBytes(key)),
  ]);
}

function typed(type: EnvelopeType, items: RlpTree[]): Uint8Array {
  const encoded = encodeRlp(items);
  const bytes = new Uint8Array(1 + encoded.length);
  bytes[0] = type;
  bytes.set(encoded, 1);
  return bytes;
}

const scalar = bytesFromScalar;

function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (bytes[start] === 0) start += 1;
  return bytes.subarray(start);
}
