import {
  InvalidTransactionError,
  assertWellFormed as assertByRules,
  maxGasPrice,
  rulesOf,
} from '@tetrad/node-evm';
import type { SignedTransaction } from '@tetrad/types';
import type { ForkRules } from '../genesis/forks.js';

/** Gas limit of one transaction under the newest rules. EIP-7825 */
export const MAX_TRANSACTION_GAS = BigInt(rulesOf('osaka').maxTransactionGas);

/** Checks a transaction as far as that needs no state. Fails: InvalidTransactionError. */
export function assertWellFormed(transaction: SignedTransaction, rules: ForkRules): void {
  assertGasPrice(transaction, rules);
  const { fork, maxCodeSize } = rules;
  assertByRules(transaction, rulesOf(fork), maxCodeSize === undefined ? {} : { maxCodeSize });
}

/** Fails: InvalidTransactionError where gas is free and the transaction offers a price. */
export function assertGasPrice(transaction: SignedTransaction, { isGasFree }: ForkRules): void {
  if (isGasFree === true && maxGasPrice(transaction) > 0n)
    throw new InvalidTransactionError('GAS_PRICE_NOT_ZERO', 'Gas price not 0');
}
