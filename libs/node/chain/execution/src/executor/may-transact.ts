import type { ErrorData, SignedTransaction } from '@tetrad/types';
import type { WorldState } from '../state/world-state.js';
import type { BlockContext } from './block-context.js';

/** Why a sender may not transact: a stable reason code, and a readable message. */
export interface TransactionBarrier {
  readonly reason: string;
  readonly message: string;
  /** What a client gets besides, such as the rule that decided. */
  readonly data?: ErrorData;
}

/** The fields of a transaction that its permission depends on; `to` is absent for a contract creation. */
export type TransactionIntent = Pick<SignedTransaction, 'sender' | 'to' | 'data'>;

/** Block and state in which the transaction would be executed. */
export interface TransactionPlace {
  readonly block: Pick<BlockContext, 'number' | 'timestamp'>;
  /**
   * The state before the transaction, read-only; its base is the state before the block. Both are the same on every node
   * that executes the block.
   */
  readonly world: WorldState;
}

/**
 * Whether the sender may send the transaction: the single rule for permissions of transactions.
 *
 * Called for every transaction where blocks are built and verified (`BlockExecution` of the ledger), before that by the pool,
 * and by private state for the transaction behind a marker. The result depends on the arguments only.
 *
 * @returns undefined when the sender may send it
 */
export type MayTransact = (
  transaction: TransactionIntent,
  place: TransactionPlace,
) => Promise<TransactionBarrier | undefined> | TransactionBarrier | undefined;
