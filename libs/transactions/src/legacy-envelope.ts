import type { RecoverableSignature } from '@tetrad/crypto';
import { addressToBytes, bytesFromScalar, type Address } from '@tetrad/types';

/** The fields of a legacy transaction, which every other type has too. */
export interface LegacyFields {
  readonly nonce: bigint;
  /** Gas price in wei. */
  readonly gasPrice: bigint;
  readonly gasLimit: bigint;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  /** Value in wei. */
  readonly value: bigint;
  readonly data: Uint8Array;
}

/** Layout: nonce, gasPrice, gas, to (20 or 0), value, data */
export function legacyFields(fields: LegacyFields): Uint8Array[] {
  const { nonce, gasPrice, gasLimit, to, value, data } = fields;
  return [
    bytesFromScalar(nonce),
    bytesFromScalar(gasPrice),
    bytesFromScalar(gasLimit),
    to === undefined ? new Uint8Array(0) : addressToBytes(to),
    bytesFromScalar(value),
    data,
  ];
}

/** Signed in place of a signature (EIP-155), so that the transaction is valid on one chain. Layout: chainId, 0, 0 */
export function chainOf(chainId: bigint): Uint8Array[] {
  return [bytesFromScalar(chainId), new Uint8Array(0), new Uint8Array(0)];
}

/** Layout: v = parity + 35 + 2 · chainId (EIP-155), r, s */
export function protectedSignature(chainId: bigint, { r, s, parity }: RecoverableSignature): Uint8Array[] {
  return [bytesFromScalar(BigInt(parity) + 35n + 2n * chainId), trimmed(r), trimmed(s)];
}

/** An integer of fixed width without its leading zeros, as RLP writes it. */
export function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (bytes[start] === 0) start += 1;
  return bytes.subarray(start);
}
