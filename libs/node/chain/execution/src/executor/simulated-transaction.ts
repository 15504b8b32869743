import {
  maxGasPrice,
  type Hooks,
  type TransactionEffects,
  wordFromAddress,
  wordFromHash,
  wordToBytes,
  type Transfer,
} from '@tetrad/node-evm';
import { type SignedTransaction, parseAddress, parseHash } from '@tetrad/types';
import { paceOf } from './pace-of.js';
import type { Simulation } from './simulate.js';

/** Where transfers of ether are shown to come from (eth_simulateV1, EIP-7528). */
export const ETHER_ADDRESS = parseAddress(`0x${'ee'.repeat(20)}`);
/** keccak256("Transfer(address,address,uint256)"). */
const TRANSFER_TOPIC = parseHash('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef');

const [ETHER, TOPIC] = [wordFromAddress(ETHER_ADDRESS), wordFromHash(TRANSFER_TOPIC)];

/** Puts a transfer of ether among the logs, as that of a token would be; a frame that fails takes it back with them. */
function logTransfer({ from, to, value }: Transfer): void {
  const { journal } = from.world;
  journal.logs.push({ address: ETHER, topics: [TOPIC, from.key, to.key], data: wordToBytes(value) });
}

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
 * @throws InvalidTransactionError with the world as it was; ExecutionAbortedError
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
