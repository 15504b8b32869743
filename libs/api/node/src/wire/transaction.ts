import { addressCodec, dataCodec, hashCodec, indexCodec, quantityCodec, uint64Codec } from '@tetrad/rpc';
import type { SignedTransaction, TransactionPosition } from '@tetrad/types';
import { z } from 'zod';
import { transactionTypeCodec } from './transaction-type.js';
import { storageSlotCodec } from './text.js';

/** An EIP-2930 access list. */
export const accessListCodec = z.array(
  z.object({ address: addressCodec, storageKeys: z.array(storageSlotCodec) }),
);

/**
 * A signed transaction as the Ethereum execution API shows it. Members that only later types have are absent
 * on earlier ones; the place in the chain is null while the transaction is pending.
 */
export const transactionCodec = z.object({
  blockHash: hashCodec.nullable(),
  blockNumber: indexCodec.nullable(),
  /** Seconds since the epoch. */
  blockTimestamp: uint64Codec.nullish(),
  from: addressCodec,
  gas: quantityCodec,
  /** Wei: what is paid once mined; the cap while a dynamic-fee transaction is pending. */
  gasPrice: quantityCodec,
  maxFeePerGas: quantityCodec.optional(),
  maxPriorityFeePerGas: quantityCodec.optional(),
  hash: hashCodec,
  input: dataCodec,
  nonce: quantityCodec,
  to: addressCodec.nullable(),
  transactionIndex: indexCodec.nullable(),
  value: quantityCodec,
  type: transactionTypeCodec,
  accessList: accessListCodec.optional(),
  chainId: quantityCodec.optional(),
  v: quantityCodec,
  yParity: quantityCodec.optional(),
  r: quantityCodec,
  s: quantityCodec,
});

export type TransactionView = z.output<typeof transactionCodec>;

/**
 * What the sender pays for a unit of gas in a block.
 *
 * Units:  wei
 * Source: EIP-1559; without a base fee a dynamic-fee transaction pays its tip, at most its cap
 */
export function effectiveGasPrice(transaction: SignedTransaction, baseFeePerGas: bigint = 0n): bigint {
  if (transaction.type !== 'dynamicFee') return transaction.gasPrice;
  const room = transaction.maxFeePerGas - baseFeePerGas;
  const tip = transaction.maxPriorityFeePerGas;
  return baseFeePerGas + (tip < room ? tip : room);
}

function feeMembers(transaction: SignedTransaction, position: TransactionPosition | undefined) {
  if (transaction.type !== 'dynamicFee') return { gasPrice: transaction.gasPrice };
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const gasPrice = position ? effectiveGasPrice(transaction, position.baseFeePerGas) : maxFeePerGas;
  return { gasPrice, maxFeePerGas, maxPriorityFeePerGas };
}

function envelopeMembers(transaction: SignedTransaction) {
  if (transaction.type === 'legacy') return {};
  const accessList = transaction.accessList.map(({ address, storageKeys }) => ({
    address,
    storageKeys: [...storageKeys],
  }));
  return { accessList, yParity: transaction.v };
}

/** The view of a mined transaction, or of a pending one without a position. */
export function viewTransaction(
  transaction: SignedTransaction,
  position?: TransactionPosition,
): TransactionView {
  return {
    blockHash: position?.blockHash ?? null,
    blockNumber: position?.blockNumber ?? null,
    blockTimestamp: position?.blockTimestamp ?? null,
    from: transaction.sender,
    gas: transaction.gasLimit,
    ...feeMembers(transaction, position),
    hash: transaction.hash,
    input: transaction.data,
    nonce: transaction.nonce,
    to: transaction.to ?? null,
    transactionIndex: position?.transactionIndex ?? null,
    value: transaction.value,
    type: transaction.type,
    ...envelopeMembers(transaction),
    chainId: transaction.chainId,
    v: transaction.v,
    r: transaction.r,
    s: transaction.s,
  };
}
