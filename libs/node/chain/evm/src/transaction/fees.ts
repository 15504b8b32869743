import type { AccessListEntry, SignedTransaction } from '@tetrad/types';

/** The access list of a transaction; empty for a legacy one. */
export function accessListOf(transaction: SignedTransaction): readonly AccessListEntry[] {
  return transaction.type === 'legacy' ? [] : transaction.accessList;
}

/** Maximum price of a unit of gas for the sender, in wei. */
export function maxGasPrice(transaction: SignedTransaction): bigint {
  return transaction.type === 'dynamicFee' ? transaction.maxFeePerGas : transaction.gasPrice;
}

/** Price of a unit of gas in a block with the base fee, in wei. */
export function effectiveGasPrice(transaction: SignedTransaction, baseFee = 0n): bigint {
  if (transaction.type !== 'dynamicFee') return transaction.gasPrice;
  const wanted = baseFee + transaction.maxPriorityFeePerGas;
  return wanted < transaction.maxFeePerGas ? wanted : transaction.maxFeePerGas;
}

/** Maximum cost of the transaction to its sender, in wei. */
export function maximumCost(transaction: SignedTransaction): bigint {
  return transaction.gasLimit * maxGasPrice(transaction) + transaction.value;
}
