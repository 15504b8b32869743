import { EMPTY_KECCAK } from '@tetrad/crypto';
import {
  InvalidTransactionError,
  assertWellFormed,
  maxGasPrice,
  type AccountState,
  type ForkRules,
} from '@tetrad/node-execution';
import { RefusalError, type SignedTransaction } from '@tetrad/types';
import type { AccountQueue } from './account-queue.js';
import type { PoolBook } from './pool-book.js';
import type { PoolEntry } from './pool-entry.js';

/** Bounds of the pool. */
export interface PoolLimits {
  /** Transactions in all. */
  readonly total: number;
  /** Bytes of all transactions together. */
  readonly totalBytes: number;
  /** Transactions behind a gap, so that they never fill the pool: what was accepted is not thrown out for others. */
  readonly queued: number;
  /** Transactions of one sender, those behind a gap included. */
  readonly perAccount: number;
  /** Bytes of one transaction. */
  readonly transactionBytes: number;
  /** Wei per gas that a transaction must offer at least. */
  readonly minimumGasPrice: bigint;
  /** Milliseconds after which a transaction behind a gap is dropped; 0 means never. */
  readonly queuedLifetimeMs: number;
}

export const DEFAULT_POOL_LIMITS: PoolLimits = {
  total: 100_000,
  totalBytes: 256 * 1024 * 1024,
  queued: 25_000,
  perAccount: 20_000,
  transactionBytes: 128 * 1024,
  minimumGasPrice: 0n,
  queuedLifetimeMs: 0,
};

/** The defaults with the given ones in their places; without a word on it, a quarter of the pool may be queued. */
export function completePoolLimits(given: Partial<PoolLimits> = {}): PoolLimits {
  const total = given.total ?? DEFAULT_POOL_LIMITS.total;
  return { ...DEFAULT_POOL_LIMITS, queued: Math.ceil(total / 4), ...given };
}

/** What is known of the chain when a transaction arrives. */
export interface PoolContext {
  readonly rules: ForkRules;
  readonly blockGasLimit: bigint;
  /** Bytes of contract code; the EVM's own limit when undefined. */
  readonly maxCodeSize: number | undefined;
  readonly limits: PoolLimits;
}

/** Checks that need no state. Fails: RefusalError with the texts that Ethereum clients know. */
export function assertAcceptable(transaction: SignedTransaction, context: PoolContext): void {
  const { limits, blockGasLimit } = context;
  const size = transaction.raw.length;
  if (size > limits.transactionBytes) {
    const text = `oversized data: transaction size ${size}, limit ${limits.transactionBytes}`;
    throw new RefusalError('OVERSIZED_DATA', text);
  }
  assertFormed(transaction, context);
  if (transaction.gasLimit > blockGasLimit) {
    throw new RefusalError('GAS_LIMIT_EXCEEDED', 'exceeds block gas limit');
  }
  if (maxGasPrice(transaction) < limits.minimumGasPrice) {
    throw new RefusalError('UNDERPRICED', 'transaction underpriced');
  }
}

function assertFormed(transaction: SignedTransaction, { rules, maxCodeSize }: PoolContext): void {
  try {
    assertWellFormed(transaction, rules, maxCodeSize);
  } catch (error) {
    if (!(error instanceof InvalidTransactionError)) throw error;
    const { reason, message } = error;
    throw new RefusalError(reason === 'TRANSACTION_TYPE_NOT_SUPPORTED' ? 'TYPE_NOT_ACTIVE' : reason, message);
  }
}

type Queue = Pick<AccountQueue, 'cost' | 'at'>;

/** Checks against the sender's account at the head and what the pool holds of it. Fails: RefusalError. */
export function assertAffordable(
  entry: PoolEntry,
  account: AccountState | undefined,
  queue: Queue | undefined,
): void {
  const { nonce } = entry.transaction;
  const next = account?.nonce ?? 0n;
  if (nonce < next) {
    throw new RefusalError('NONCE_TOO_LOW', `nonce too low: next nonce ${next}, tx nonce ${nonce}`);
  }
  if (account !== undefined && account.codeHash !== EMPTY_KECCAK) {
    throw new RefusalError('SENDER_NOT_EOA', 'sender not an eoa');
  }
  const balance = account?.balance ?? 0n;
  const others = (queue?.cost ?? 0n) - (queue?.at(nonce)?.cost ?? 0n);
  const overshot = others + entry.cost - balance;
  if (overshot <= 0n) return;
  const queued = others === 0n ? '' : `queued cost ${others}, `;
  throw new RefusalError(
    'INSUFFICIENT_FUNDS',
    `insufficient funds for gas * price + value: balance ${balance}, ${queued}tx cost ${entry.cost}, overshot ${overshot}`,
  );
}

/** Whether the newcomer may take the place of the one with its nonce: at a higher price only. Fails: RefusalError. */
export function assertReplaces(newcomer: PoolEntry, pending: PoolEntry): void {
  if (newcomer.price <= pending.price) {
    throw new RefusalError('REPLACEMENT_UNDERPRICED', 'replacement transaction underpriced');
  }
}

/** Whether there is room for one more. Fails: RefusalError. */
export function assertRoom(
  { transaction }: PoolEntry,
  next: bigint,
  { book, limits }: { book: PoolBook; limits: PoolLimits },
): void {
  const queue = book.queueOf(transaction.sender);
  if (queue !== undefined && queue.size >= limits.perAccount) {
    throw new RefusalError('ACCOUNT_LIMIT_EXCEEDED', 'account limit exceeded');
  }
  const waits = transaction.nonce > (queue?.firstGap ?? next);
  const isFull =
    book.size >= limits.total ||
    book.bytes + transaction.raw.length > limits.totalBytes ||
    (waits && book.queued >= limits.queued);
  if (isFull) throw new RefusalError('POOL_FULL', 'txpool is full');
}
