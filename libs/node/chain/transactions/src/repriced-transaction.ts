import type { SendRequest } from '@tetrad/api-node';
import type { TransactionFees, UnsignedTransaction } from '@tetrad/transactions';
import type { SignedTransaction } from '@tetrad/types';

/** New terms of a transaction; 0 and undefined keep the old value, as in geth. */
export interface Repricing {
  /** Gas price in wei. */
  readonly gasPrice: bigint | undefined;
  readonly gasLimit: bigint | undefined;
}

/** Whether the request describes the transaction; gas and fees are compared when the request has them. */
export function isSame(request: SendRequest, transaction: SignedTransaction): boolean {
  const { to, value = 0n, data = new Uint8Array(0), gas, gasPrice, maxFeePerGas } = request;
  const fee = transaction.type === 'dynamicFee' ? transaction.maxFeePerGas : transaction.gasPrice;
  return (
    transaction.to === to &&
    transaction.value === value &&
    Buffer.compare(transaction.data, data) === 0 &&
    (gas === undefined || gas === transaction.gasLimit) &&
    (gasPrice ?? maxFeePerGas ?? fee) === fee
  );
}

/** The transaction with other terms, to be signed again. */
export function repriced(
  transaction: SignedTransaction,
  { gasPrice, gasLimit }: Repricing,
): Omit<UnsignedTransaction, 'chainId'> {
  const { nonce, to, value, data } = transaction;
  const fees = feesOf(transaction);
  return {
    nonce,
    to,
    value,
    data,
    gasLimit: gasLimit === undefined || gasLimit === 0n ? transaction.gasLimit : gasLimit,
    fees: gasPrice === undefined || gasPrice === 0n ? fees : withPrice(fees, gasPrice),
  };
}

function feesOf(transaction: SignedTransaction): TransactionFees {
  if (transaction.type === 'legacy') return { type: 'legacy', gasPrice: transaction.gasPrice };
  const { type, accessList } = transaction;
  if (type === 'accessList') return { type, accessList, gasPrice: transaction.gasPrice };
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction;
  return { type, accessList, maxFeePerGas, maxPriorityFeePerGas };
}

/** Fees with the gas price; with dynamic fees it is both the cap and the tip. */
function withPrice(fees: TransactionFees, gasPrice: bigint): TransactionFees {
  return fees.type === 'dynamicFee'
    ? { ...fees, maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice }
    : { ...fees, gasPrice };
}
