import type { ForkName, Pace, Precompiles } from '@tetrad/node-precompiles';
import { TetradError } from '@tetrad/types';
import type { BlockContext } from '../interpreter/block-context.js';
import type { StepListener } from '../interpreter/evm-interface.js';
import type { Hooks } from '../interpreter/hooks.js';

/**
 * Everything that an execution depends on except its message and its world.
 *
 * The signal of its pace stops it with ExecutionAbortedError.
 */
export interface ExecutionContext extends Pace {
  readonly fork: ForkName;
  readonly block: BlockContext;
  readonly precompiles: Precompiles;
  readonly hooks?: Hooks;
  readonly listener?: StepListener;
  /** Bytes of deployed code, in place of EIP-170's. */
  readonly maxCodeSize?: number;
  /** Gas limit of a transaction, in place of EIP-7825's; infinite for none but the block's. */
  readonly maxTransactionGas?: number;
  /**
   * Set for eth_simulateV1 without validation, and for warming. Skips the checks that apply to blocks only: the sender's
   * nonce, that it has no code (EIP-3607), and the cap on its gas.
   */
  readonly isSimulation?: boolean;
  /** Gas between two turns of the event loop; SLICE_GAS when absent. */
  readonly sliceGas?: number;
}

/** The execution was aborted by its signal, for example by a timeout. */
export class ExecutionAbortedError extends TetradError {
  override readonly name = 'ExecutionAbortedError';
  override readonly code = 'EXECUTION_ABORTED';
}
