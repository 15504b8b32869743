import { RLP } from '@ethereumjs/rlp';
import { keccak256, signDigest } from '@tetrad/crypto';
import { addressToBytes, bytesFromScalar, scalarFromBytes, type Address } from '@tetrad/types';

/** A legacy transaction with free gas, as load is made of. */
export interface PlainTransaction {
  readonly chainId: bigint;
  readonly nonce: number;
  readonly gasLimit: number;
  readonly to: Address;
  readonly value: bigint;
  readonly data: Uint8Array;
  /** Wei; 0 on our chains, other peers ask for more. */
  readonly gasPrice: bigint;
}

/** Signs with EIP-155, fast enough to prepare a hundred thousand. Out: raw bytes. */
export function presign(transaction: PlainTransaction, privateKey: Uint8Array): Uint8Array {
  const { chainId, nonce, gasPrice, gasLimit, to, value, data } = transaction;
  const fields = [
    bytesFromScalar(nonce),
    bytesFromScalar(gasPrice),
    bytesFromScalar(gasLimit),
    addressToBytes(to),
    bytesFromScalar(value),
    data,
  ];
  const none = new Uint8Array(0);
  const digest = keccak256(RLP.encode([...fields, bytesFromScalar(chainId), none, none]));
  const { r, s, parity } = signDigest(digest, privateKey);
  const v = bytesFromScalar(chainId * 2n + 35n + BigInt(parity));
  return RLP.encode([...fields, v, bytesFromScalar(scalarFromBytes(r)), bytesFromScalar(scalarFromBytes(s))]);
}
