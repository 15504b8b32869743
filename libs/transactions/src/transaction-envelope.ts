import { keccak256, signDigest, type RecoverableSignature } from '@tetrad/crypto';
import { encodeRlp, type RlpTree } from '@tetrad/rlp';
import { addressToBytes, bytesFromScalar, hashToBytes, type AccessListEntry } from '@tetrad/types';
import { chainOf, legacyFields, protectedSignature, trimmed } from './legacy-envelope.js';
import type { UnsignedTransaction } from './unsigned-transaction.js';

/** EIP-2718: the first byte of a typed envelope. */
export const TYPE_BYTES = { accessList: 0x01, dynamicFee: 0x02 } as const;

/** The encoding of a transaction for signing and, with a signature, for sending. */
export interface TransactionEnvelope {
  /** The bytes whose keccak-256 is signed. */
  preimage(): Uint8Array;
  /** The raw transaction. */
  raw(signature: RecoverableSignature): Uint8Array;
}

/**
 * Encodes the fields once for both.
 *
 * Layout: legacy (EIP-155)        signed: rlp[nonce, gasPrice, gas, to, value, data, chainId, 0, 0]
 *                                 raw:    rlp[nonce, gasPrice, gas, to, value, data, v, r, s], v = parity + 35 + 2 · chainId
 *         access list (EIP-2930)  signed: 0x01 ‖ rlp[chainId, nonce, gasPrice, gas, to, value, data, accessList]
 *         dynamic fee (EIP-1559)  signed: 0x02 ‖ rlp[chainId, nonce, tip, maxFee, gas, to, value, data, accessList]
 *         both                    raw:    type ‖ rlp[what was signed, parity, r, s]
 *         integers, r and s among them, have no leading zero bytes; to has 20 bytes or none;
 *         accessList is [[address (20), [slot (32)…]]…]
 */
export function envelopeOf(transaction: UnsignedTransaction): TransactionEnvelope {
  const { chainId, fees } = transaction;
  const fields = fieldsOf(transaction);
  if (fees.type === 'legacy') {
    return {
      preimage: () => encodeRlp([...fields, ...chainOf(chainId)]),
      raw: (signature) => encodeRlp([...fields, ...protectedSignature(chainId, signature)]),
    };
  }
  const type = TYPE_BYTES[fees.type];
  return {
    preimage: () => typed(type, fields),
    raw: ({ r, s, parity }) => typed(type, [...fields, bytesFromScalar(parity), trimmed(r), trimmed(s)]),
  };
}

/** The raw transaction before an external signature: v, r and s are zero. */
export function encodeUnsigned(transaction: UnsignedTransaction): Uint8Array {
  const { fees } = transaction;
  const none = new Uint8Array(0);
  const fields = [...fieldsOf(transaction), none, none, none];
  return fees.type === 'legacy' ? encodeRlp(fields) : typed(TYPE_BYTES[fees.type], fields);
}

/** The raw transaction signed with the key. */
export function signTransaction(transaction: UnsignedTransaction, privateKey: Uint8Array): Uint8Array {
  const envelope = envelopeOf(transaction);
  return envelope.raw(signDigest(keccak256(envelope.preimage()), privateKey));
}

function fieldsOf(transaction: UnsignedTransaction): RlpTree[] {
  const { chainId, nonce, gasLimit, to, value, data, fees } = transaction;
  if (fees.type !== 'dynamicFee') {
    const fields = legacyFields({ nonce, gasPrice: fees.gasPrice, gasLimit, to, value, data });
    return fees.type === 'legacy'
      ? fields
      : [bytesFromScalar(chainId), ...fields, accessItems(fees.accessList)];
  }
  return [
    bytesFromScalar(chainId),
    bytesFromScalar(nonce),
    bytesFromScalar(fees.maxPriorityFeePerGas),
    bytesFromScalar(fees.maxFeePerGas),
    bytesFromScalar(gasLimit),
    to === undefined ? new Uint8Array(0) : addressToBytes(to),
    bytesFromScalar(value),
    data,
    accessItems(fees.accessList),
  ];
}

function accessItems(accessList: readonly AccessListEntry[]): RlpTree[] {
  return accessList.map(({ address, storageKeys }) => [
    addressToBytes(address),
    storageKeys.map((key) => hashToBytes(key)),
  ]);
}

function typed(type: number, fields: readonly RlpTree[]): Uint8Array {
  const encoded = encodeRlp(fields);
  const bytes = new Uint8Array(1 + encoded.length);
  bytes[0] = type;
  bytes.set(encoded, 1);
  return bytes;
}
