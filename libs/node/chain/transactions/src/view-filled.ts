import type { FilledTransaction } from '@tetrad/api-node';
import { keccakHash } from '@tetrad/crypto';
import type { UnsignedTransaction } from '@tetrad/transactions';

/** Values of the signature in the view; zero where a transaction is not signed. */
export interface Signature {
  readonly v: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** A filled transaction beside its encoding. */
export function viewFilled(
  transaction: UnsignedTransaction,
  raw: Uint8Array,
  { v, r, s }: Signature,
): FilledTransaction {
  const { fees } = transaction;
  return {
    raw,
    tx: {
      type: fees.type,
      nonce: transaction.nonce,
      gasPrice: fees.type === 'dynamicFee' ? null : fees.gasPrice,
      ...(fees.type === 'dynamicFee'
        ? { maxFeePerGas: fees.maxFeePerGas, maxPriorityFeePerGas: fees.maxPriorityFeePerGas }
        : {}),
      gas: transaction.gasLimit,
      value: transaction.value,
      input: transaction.data,
      ...(fees.type === 'legacy'
        ? {}
        : {
            accessList: fees.accessList.map(({ address, storageKeys }) => ({
              address,
              storageKeys: [...storageKeys],
            })),
            chainId: transaction.chainId,
          }),
      v,
      r,
      s,
      to: transaction.to ?? null,
      hash: keccakHash(raw),
    },
  };
}
