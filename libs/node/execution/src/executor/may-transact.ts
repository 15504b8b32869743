import type { SignedTransaction } from '@tetrad/types';
import type { WorldState } from '../state/world-state.js';
import type { BlockContext } from './block-context.js';

/** Why somebody may not transact: a stable reason, and the text for people. */
export interface TransactionBarrier {
  readonly reason: string;
  readonly message: string;
}

/** What of a transaction its permission depends on; `to` is absent for a contract creation. */
export type TransactionIntent = Pick<SignedTransaction, 'sender' | 'to' | 'data'>;

/** Where the transaction would be executed. */
export interface TransactionPlace {
  readonly block: Pick<BlockContext, 'number' | 'timestamp'>;
  /**
   * The state before it, to read; its base is that before the block. What they say is the same on every node that executes
   * the block.
   */
  readonly world: WorldState;
}

/**
 * Asked of every transaction in the one door of building and verifying (`BlockExecution` of the ledger), before that by the pool,
 * and by private state of what is behind a marker; a restriction of who may transact is written once. Its answer depends on its
 * arguments and on nothing else.
 *
 * Out: undefined when the sender may
 */
export type MayTransact = (
  transaction: TransactionIntent,
  place: TransactionPlace,
) => Promise<TransactionBarrier | undefined> | TransactionBarrier | undefined;
