import type { TransactionLike } from 'ethers';
import type { Address, Hex } from 'viem';
import { InvalidPrivacyError } from '../errors/privacy-errors.js';
import type { TransactionContent } from '../private/fill-transaction.js';

/** Members of a transaction of ethers that a private one does not have. */
const WITHOUT_PLACE = [
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'accessList',
  'blobs',
  'authorizationList',
] as const;

/**
 * The content of a private transaction, of a transaction of ethers whose addresses are resolved.
 *
 * @throws InvalidPrivacyError for what a private transaction cannot have
 */
export function privateContent(transaction: TransactionLike<string>): TransactionContent {
  const { to, data, gasLimit, gasPrice, nonce, type, value } = transaction;
  if (value !== undefined && value !== null && BigInt(value) !== 0n)
    throw new InvalidPrivacyError({
      field: 'value',
      problem: 'must be zero: private transactions move no ether',
    });
  if (type !== undefined && type !== null && type !== 0)
    throw new InvalidPrivacyError({
      field: 'type',
      problem: `must be 0, as of every private transaction: ${type}`,
    });
  for (const field of WITHOUT_PLACE)
    if (transaction[field] !== undefined && transaction[field] !== null)
      throw new InvalidPrivacyError({ field, problem: 'has no place in a private transaction' });
  return {
    data: (data ?? '0x') as Hex,
    ...(isAbsent(to) ? {} : { to: to as Address }),
    ...(isAbsent(gasLimit) ? {} : { gas: BigInt(gasLimit) }),
    ...(isAbsent(gasPrice) ? {} : { gasPrice: BigInt(gasPrice) }),
    ...(isAbsent(nonce) ? {} : { nonce }),
  };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
