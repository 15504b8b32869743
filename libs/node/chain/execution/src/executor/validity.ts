import {
  InvalidTransactionError,
  assertWellFormed as assertByRules,
  maxGasPrice,
  rulesOf,
} from '@tetrad/node-evm';
import type { SignedTransaction } from '@tetrad/types';
import type { ForkRules } from '../genesis/forks.js';
import { ownLimits } from './own-limits.js';

/**
 * The largest gas limit of a transaction that the rules allow beside the block's.
 *
 * @param rules - in force for the block
 * @returns gas; undefined where only the block limits it
 */
export function transactionGasCap({ fork, maxTransactionGas }: ForkRules): bigint | undefined {
  const cap = maxTransactionGas ?? rulesOf(fork).maxTransactionGas;
  return Number.isFinite(cap) ? BigInt(cap) : undefined;
}

/**
 * Checks a transaction as far as that needs no state.
 * @throws InvalidTransactionError
 */
export function assertWellFormed(transaction: SignedTransaction, rules: ForkRules): void {
  assertGasPrice(transaction, rules);
  assertByRules(transaction, rulesOf(rules.fork), ownLimits(rules));
}

/** @throws InvalidTransactionError where gas is free and the transaction offers a price */
export function assertGasPrice(transaction: SignedTransaction, { isGasFree }: ForkRules): void {
  if (isGasFree === true && maxGasPrice(transaction) > 0n)
    throw new InvalidTransactionError('GAS_PRICE_NOT_ZERO', 'Gas price not 0');
}
