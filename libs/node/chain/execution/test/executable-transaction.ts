import type { Common } from '@ethereumjs/common';
import { Capability, TransactionType, type TypedTransaction } from '@ethereumjs/tx';
import { Address as EvmAddress } from '@ethereumjs/util';
import { addressToBytes, hashToBytes, type SignedTransaction } from '@tetrad/types';
import {
  accessListOf,
  effectiveGasPrice,
  maxGasPrice,
  messageGas,
  rulesOf,
  type ForkName,
} from '@tetrad/node-evm';

const TYPES = {
  legacy: TransactionType.Legacy,
  accessList: TransactionType.AccessListEIP2930,
  dynamicFee: TransactionType.FeeMarketEIP1559,
} as const;

/**
 * The members of a decoded transaction that EthereumJS' `runTx` reads.
 *
 * Its own transaction classes would recover the sender again, which costs more than executing a transfer.
 */
export function executable(transaction: SignedTransaction, common: Common, fork: ForkName): TypedTransaction {
  const accessList = accessListOf(transaction);
  const sender = new EvmAddress(addressToBytes(transaction.sender));
  const to = transaction.to === undefined ? undefined : new EvmAddress(addressToBytes(transaction.to));
  const subject = { creation: to === undefined, data: transaction.data, accessList };
  const gas = BigInt(messageGas(subject, rulesOf(fork)).intrinsic);
  const face = {
    type: TYPES[transaction.type],
    common,
    nonce: transaction.nonce,
    gasLimit: transaction.gasLimit,
    to,
    value: transaction.value,
    data: transaction.data,
    accessList: accessList.map((entry) => [
      addressToBytes(entry.address),
      entry.storageKeys.map(hashToBytes),
    ]),
    gasPrice: maxGasPrice(transaction),
    ...(transaction.type === 'dynamicFee'
      ? { maxFeePerGas: transaction.maxFeePerGas, maxPriorityFeePerGas: transaction.maxPriorityFeePerGas }
      : {}),
    supports: (capability: Capability) =>
      (capability === Capability.EIP2718TypedTransaction && transaction.type !== 'legacy') ||
      (capability === Capability.EIP1559FeeMarket && transaction.type === 'dynamicFee'),
    isSigned: () => true,
    hash: () => hashToBytes(transaction.hash),
    errorStr: () => `tx ${transaction.hash}`,
    toCreationAddress: () => to === undefined,
    getSenderAddress: () => sender,
    getIntrinsicGas: () => gas,
    getUpfrontCost: (baseFee = 0n) =>
      transaction.gasLimit * effectiveGasPrice(transaction, baseFee) + transaction.value,
    getEffectivePriorityFee: (baseFee = 0n) => effectiveGasPrice(transaction, baseFee) - baseFee,
  };
  return face as unknown as TypedTransaction;
}
