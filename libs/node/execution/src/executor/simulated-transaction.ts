import { maxGasPrice, type Hooks, type TransactionEffects } from '@tetrad/node-evm';
import type { SignedTransaction } from '@tetrad/types';
import { logTransfer } from './log-transfer.js';
import { paceOf } from './pace-of.js';
import type { Simulation } from './simulate.js';

export interface SimulatedRun {
  /** Whether the rules of a block apply: nonce, base fee, and that the sender has no code. */
  readonly validation: boolean;
  /** Whether transfers of ether are among the logs. */
  readonly traceTransfers: boolean;
}

const TRANSFERS_AS_LOGS: Hooks = { moved: logTransfer };

/**
 * Executes an unsigned transaction as in a block (eth_simulateV1), and keeps its changes in the world.
 *
 * Without validation any nonce is valid, accounts with code may send, and a gas price of 0 is not held to the base fee.
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
