import type { AccountState, ForkRules, WorldState } from '@tetrad/node-execution';
import type { SignedTransaction } from '@tetrad/types';
import type { SenderQueue } from '../pool-book.js';
import type { PoolEntry } from '../pool-entry.js';
import type { PoolLimits } from '../pool-limits.js';

/** The chain when a transaction arrives, without its state. */
export interface PoolContext {
  /** The next block. */
  readonly block: { readonly number: number; readonly timestamp: number };
  readonly rules: ForkRules;
  readonly blockGasLimit: bigint;
  readonly limits: PoolLimits;
}

/** A rule over the transaction alone. */
export interface TransactionRule {
  readonly name: string;
  /** @throws RequestError with the text that Ethereum clients know */
  readonly check: (transaction: SignedTransaction, context: PoolContext) => void;
}

/** A rule that reads the state at the head. */
export interface StateRule {
  readonly name: string;
  /** @throws RequestError; as the database does */
  readonly check: (transaction: SignedTransaction, context: PoolContext, world: WorldState) => Promise<void>;
}

/** A transaction with its sender's account at the head, and the sender's transactions in the pool. */
export interface SenderView {
  readonly entry: PoolEntry;
  readonly account: AccountState | undefined;
  readonly queue: Pick<SenderQueue, 'cost' | 'at'> | undefined;
}

/** A rule over the sender; it must run in the same turn as the insertion of the transaction. */
export interface SenderRule {
  readonly name: string;
  /** @throws RequestError with the text that Ethereum clients know */
  readonly check: (view: SenderView) => void;
}
