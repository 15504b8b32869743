import {
  InvalidTransactionError,
  assertWellFormed,
  maxGasPrice,
  maximumCost,
  type AccountState,
  type ForkRules,
} from '@tetrad/node-execution';
import { RefusalError, type SignedTransaction } from '@tetrad/types';

/** Bounds of the pool. */
export interface PoolLimits {
  /** Transactions in all. */
  readonly total: number;
  /** Transactions of one sender, those behind a gap included. */
  readonly perAccount: number;
  /** Bytes of one transaction. */
  readonly transactionBytes: number;
  /** Wei per gas that a transaction must offer at least. */
  readonly minimumGasPrice: bigint;
}

export const DEFAULT_POOL_LIMITS: PoolLimits = {
  total: 100_000,
  perAccount: 20_000,
  transactionBytes: 128 * 1024,
  minimumGasPrice: 0n,
};

/** What is known of the chain when a transaction arrives. */
export interface PoolContext {
  readonly rules: ForkRules;
  readonly blockGasLimit: bigint;
  /** Bytes of deployed code, where the genesis file sets a bound of its own. */
  readonly maxCodeSize?: number | undefined;
  readonly limits: PoolLimits;
}

/** Checks that need no state. Fails: RefusalError with the texts that Ethereum clients know. */
export function assertAcceptable(transaction: SignedTransaction, context: PoolContext): void {
  const { limits, rules, blockGasLimit } = context;
  if (transaction.raw.length > limits.transactionBytes) {
    throw new RefusalError(
      'OVERSIZED_DATA',
      `oversized data: transaction size ${transaction.raw.length}, limit ${limits.transactionBytes}`,
    );
  }
  try {
    assertWellFormed(transaction, rules, context.maxCodeSize);
  } catch (error) {
    if (error instanceof InvalidTransactionError) throw new RefusalError(error.reason, error.message);
    throw error;
  }
  if (transaction.gasLimit > blockGasLimit)
    throw new RefusalError('GAS_LIMIT_EXCEEDED', 'exceeds block gas limit');
  if (maxGasPrice(transaction) < limits.minimumGasPrice) {
    throw new RefusalError('UNDERPRICED', 'transaction underpriced');
  }
}

/** Checks against the sender's account at the head. Fails: RefusalError. */
export function assertAffordable(transaction: SignedTransaction, account: AccountState | undefined): void {
  const nonce = account?.nonce ?? 0n;
  if (transaction.nonce < nonce) {
    throw new RefusalError(
      'NONCE_TOO_LOW',
      `nonce too low: next nonce ${nonce}, tx nonce ${transaction.nonce}`,
    );
  }
  const balance = account?.balance ?? 0n;
  const cost = maximumCost(transaction);
  if (balance < cost) {
    throw new RefusalError(
      'INSUFFICIENT_FUNDS',
      `insufficient funds for gas * price + value: balance ${balance}, tx cost ${cost}`,
    );
  }
}

/** Whether the newcomer may take the place of the one with its nonce: at a higher price only. */
export function assertReplaces(newcomer: SignedTransaction, pending: SignedTransaction): void {
  if (newcomer.hash === pending.hash) throw new RefusalError('ALREADY_KNOWN', 'already known');
  if (maxGasPrice(newcomer) <= maxGasPrice(pending)) {
    throw new RefusalError('REPLACEMENT_UNDERPRICED', 'replacement transaction underpriced');
  }
}
