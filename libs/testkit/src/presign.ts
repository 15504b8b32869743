import { signTransaction } from '@tetrad/transactions';
import type { Address } from '@tetrad/types';

/** A legacy transaction with free gas, for load. */
export interface PlainTransaction {
  readonly chainId: bigint;
  readonly nonce: number;
  readonly gasLimit: number;
  readonly to: Address;
  readonly value: bigint;
  readonly data: Uint8Array;
  /** Wei; 0 on our chains, other clients require more. */
  readonly gasPrice: bigint;
}

/**
 * Signs with EIP-155, fast enough to prepare a hundred thousand.
 * @returns raw bytes
 */
export function presign(transaction: PlainTransaction, privateKey: Uint8Array): Uint8Array {
  const { chainId, nonce, gasPrice, gasLimit, to, value, data } = transaction;
  const counts = { nonce: BigInt(nonce), gasLimit: BigInt(gasLimit) };
  return signTransaction(
    { chainId, ...counts, to, value, data, fees: { type: 'legacy', gasPrice } },
    privateKey,
  );
}
