import { RLP } from '@ethereumjs/rlp';
import { keccak256, signDigest } from '@tetrad/crypto';
import {
  addressToBytes,
  bytesFromScalar,
  hashToBytes,
  scalarFromBytes,
  type AccessListEntry,
  type Address,
} from '@tetrad/types';

/** A transaction before it is signed; which of the fee fields are set decides its type. */
export interface UnsignedTransaction {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  readonly to?: Address | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly fees: TransactionFees;
}

export type TransactionFees =
  | { readonly type: 'legacy'; readonly gasPrice: bigint }
  | {
      readonly type: 'accessList';
      readonly gasPrice: bigint;
      readonly accessList: readonly AccessListEntry[];
    }
  | {
      readonly type: 'dynamicFee';
      readonly maxFeePerGas: bigint;
      readonly maxPriorityFeePerGas: bigint;
      readonly accessList: readonly AccessListEntry[];
    };

type RlpItem = Uint8Array | RlpItem[];

/** EIP-2718 type bytes. */
export const TYPE_BYTES = { accessList: 0x01, dynamicFee: 0x02 } as const;

/**
 * Fields of the envelope without the signature, in their order:
 *
 * legacy      nonce, gasPrice, gasLimit, to (20 or 0), value, data
 * accessList  chainId, nonce, gasPrice, gasLimit, to, value, data, [[address (20), [slot (32)…]]…]
 * dynamicFee  chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gasLimit, to, value, data, accessList
 */
function fieldsOf(transaction: UnsignedTransaction): RlpItem[] {
  const { chainId, nonce, gasLimit, to, value, data, fees } = transaction;
  const target = to === undefined ? new Uint8Array(0) : addressToBytes(to);
  const rest: RlpItem[] = [bytesFromScalar(gasLimit), target, bytesFromScalar(value), data];
  if (fees.type === 'legacy') return [bytesFromScalar(nonce), bytesFromScalar(fees.gasPrice), ...rest];
  const price =
    fees.type === 'accessList'
      ? [bytesFromScalar(fees.gasPrice)]
      : [bytesFromScalar(fees.maxPriorityFeePerGas), bytesFromScalar(fees.maxFeePerGas)];
  return [
    bytesFromScalar(chainId),
    bytesFromScalar(nonce),
    ...price,
    ...rest,
    accessListItem(fees.accessList),
  ];
}

function accessListItem(entries: readonly AccessListEntry[]): RlpItem {
  return entries.map(({ address, storageKeys }) => [
    addressToBytes(address),
    storageKeys.map((key) => hashToBytes(key)),
  ]);
}

/** The digest that the sender signs; legacy ones with EIP-155: fields, chainId, 0, 0. */
export function signingDigest(transaction: UnsignedTransaction): Uint8Array {
  const fields = fieldsOf(transaction);
  const { fees, chainId } = transaction;
  if (fees.type !== 'legacy') return keccak256(withType(TYPE_BYTES[fees.type], fields));
  const empty = new Uint8Array(0);
  return keccak256(RLP.encode([...fields, bytesFromScalar(chainId), empty, empty]));
}

/** Raw bytes of the transaction signed with the key. */
export function signTransaction(transaction: UnsignedTransaction, privateKey: Uint8Array): Uint8Array {
  const { r, s, parity } = signDigest(signingDigest(transaction), privateKey);
  return encodeSigned(transaction, { r: scalarFromBytes(r), s: scalarFromBytes(s), parity });
}

/** Raw bytes of the transaction with a signature that was made elsewhere. */
export function encodeSigned(
  transaction: UnsignedTransaction,
  signature: { readonly r: bigint; readonly s: bigint; readonly parity: 0 | 1 },
): Uint8Array {
  const { fees, chainId } = transaction;
  const v = fees.type === 'legacy' ? chainId * 2n + 35n + BigInt(signature.parity) : BigInt(signature.parity);
  return encodeWithSignature(transaction, { ...signature, v });
}

/** Raw bytes with v as given; all zero for a transaction that waits for its signature elsewhere. */
export function encodeWithSignature(
  transaction: UnsignedTransaction,
  { v, r, s }: { readonly v: bigint; readonly r: bigint; readonly s: bigint },
): Uint8Array {
  const fields = [...fieldsOf(transaction), bytesFromScalar(v), bytesFromScalar(r), bytesFromScalar(s)];
  const { fees } = transaction;
  return fees.type === 'legacy' ? RLP.encode(fields) : withType(TYPE_BYTES[fees.type], fields);
}

/** Layout: type (1) ‖ RLP of the fields. */
function withType(type: number, fields: readonly RlpItem[]): Uint8Array {
  const encoded = RLP.encode(fields as RlpItem[]);
  const bytes = new Uint8Array(encoded.length + 1);
  bytes[0] = type;
  bytes.set(encoded, 1);
  return bytes;
}
