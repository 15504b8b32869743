import { maxGasPrice, type Hooks, type TransactionEffects } from '@tetrad/node-evm';
import type { SignedTransaction } from '@tetrad/types';
import { logTransfer } from './log-transfer.js';
import { paceOf } from './pace-of.js';
import type { Simulation } from './simulate.js';

export interface SimulatedRun {
  /** Whether the rules of a block apply: nonce, base fee and who may send. */
  readonly validation: boolean;
  /** Whether transfers of ether are among the logs. */
  readonly traceTransfers: boolean;
}

const TRANSFERS_AS_LOGS: Hooks = { moved: logTransfer };

/**
 * Runs a transaction that nobody signed as a block would run it, and keeps what it did in the world.
 *
 * Without validation nonces may be any, accounts with code may send, and who pays nothing meets no base fee.
 *
 * Fails: InvalidTransactionError with the world as it was; ExecutionAbortedError
 */
export async function simulateTransaction(
  simulation: Simulation,
  transaction: SignedTransaction,
  { validation, traceTransfers }: SimulatedRun,
): Promise<TransactionEffects> {
  const { executor, world, block } = simulation;
  const isFree = !validation && maxGasPrice(transaction) === 0n && block.baseFeePerGas !== undefined;
  const seen = isFree ? { ...block, baseFeePerGas: 0n } : block;
  return executor.executeTransaction(seen, transaction, world, {
    ...paceOf(simulation),
    isSimulation: !validation,
    ...(traceTransfers ? { hooks: TRANSFERS_AS_LOGS } : {}),
  });
}
