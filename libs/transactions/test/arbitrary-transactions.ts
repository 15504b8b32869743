import { addressFromBytes, hashFromBytes, hexFromBytes, type TransactionType } from '@tetrad/types';
import type { TransactionFees, UnsignedTransaction } from '@tetrad/transactions';
import { SigningKey, Transaction, type TransactionLike } from 'ethers';
import fc from 'fast-check';

/** EIP-2718 types, as ethers names them. */
const TYPES = { legacy: 0, accessList: 1, dynamicFee: 2 } as const;
export const EVERY_TYPE = ['legacy', 'accessList', 'dynamicFee'] as const;

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const address = bytes(20).map(addressFromBytes);
// Small numbers and edges as often as large ones: RLP treats them differently.
const scalar = (bits: number) =>
  fc.oneof(
    fc.bigInt({ min: 0n, max: 256n }),
    fc.integer({ min: 0, max: bits }).map((width) => 2n ** BigInt(width) - 1n),
    fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }),
  );
const accessList = fc.array(
  fc.record({ address, storageKeys: fc.array(bytes(32).map(hashFromBytes), { maxLength: 3 }) }),
  { maxLength: 3 },
);
const gasPrice = scalar(256);
const FEES: Readonly<Record<TransactionType, fc.Arbitrary<TransactionFees>>> = {
  legacy: fc.record({ type: fc.constant('legacy'), gasPrice }),
  accessList: fc.record({ type: fc.constant('accessList'), gasPrice, accessList }),
  dynamicFee: fc
    .record({
      type: fc.constant('dynamicFee' as const),
      maxFeePerGas: gasPrice,
      maxPriorityFeePerGas: gasPrice,
      accessList,
    })
    .filter(({ maxFeePerGas, maxPriorityFeePerGas }) => maxPriorityFeePerGas <= maxFeePerGas),
};

/** Any transaction of the type; of any chain, unless one is given. */
export function transactionsOf(type: TransactionType, chainId?: bigint): fc.Arbitrary<UnsignedTransaction> {
  return fc.record({
    chainId: chainId === undefined ? scalar(200).filter((id) => id > 0n) : fc.constant(chainId),
    // The range of ethers; larger values are among the vectors.
    nonce: scalar(53),
    gasLimit: scalar(64),
    to: fc.option(address, { nil: undefined }),
    value: scalar(256),
    data: fc.uint8Array({ maxLength: 300 }),
    fees: FEES[type],
  });
}

/** The same transaction in ethers' form, without a signature. */
export function ethersForm({ fees, nonce, to, data, ...rest }: UnsignedTransaction): Transaction {
  const { type, ...price } = fees;
  const content: TransactionLike = {
    ...rest,
    nonce: Number(nonce),
    to: to ?? null,
    data: hexFromBytes(data),
  };
  return Transaction.from({ ...content, ...structuredClone(price), type: TYPES[type] } as TransactionLike);
}

/**
 * The same transaction, built and signed by ethers alone.
 * @returns the raw bytes in hex
 */
export function signedByEthers(unsigned: UnsignedTransaction, privateKey: Uint8Array): string {
  const transaction = ethersForm(unsigned);
  transaction.signature = new SigningKey(privateKey).sign(transaction.unsignedHash);
  return transaction.serialized;
}
