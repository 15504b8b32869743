import type { AccountState, ForkRules, WorldState } from '@tetrad/node-execution';
import type { SignedTransaction } from '@tetrad/types';
import type { SenderQueue } from '../pool-book.js';
import type { PoolEntry } from '../pool-entry.js';
import type { PoolLimits } from '../pool-limits.js';

/** What is known of the chain when a transaction arrives, without reading its state. */
export interface PoolContext {
  /** The block that is next. */
  readonly block: { readonly number: number; readonly timestamp: number };
  readonly rules: ForkRules;
  readonly blockGasLimit: bigint;
  readonly limits: PoolLimits;
}

/** A rule over the transaction alone. */
export interface TransactionRule {
  readonly name: string;
  /** Fails: RequestError with the text that Ethereum clients know. */
  readonly check: (transaction: SignedTransaction, context: PoolContext) => void;
}

/** A rule that reads the state at the head. */
export interface StateRule {
  readonly name: string;
  /** Fails: RequestError; as the database does. */
  readonly check: (transaction: SignedTransaction, context: PoolContext, world: WorldState) => Promise<void>;
}

/** A transaction beside its sender's account at the head, and what the pool holds of it. */
export interface SenderView {
  readonly entry: PoolEntry;
  readonly account: AccountState | undefined;
  readonly queue: Pick<SenderQueue, 'cost' | 'at'> | undefined;
}

/** A rule over the sender; nothing may wait between it and the moment the transaction is in. */
export interface SenderRule {
  readonly name: string;
  /** Fails: RequestError with the text that Ethereum clients know. */
  readonly check: (view: SenderView) => void;
}
