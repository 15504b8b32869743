import type { ForkName, Pace, Precompiles } from '@tetrad/node-precompiles';
import { TetradError } from '@tetrad/types';
import type { BlockContext } from '../interpreter/block-context.js';
import type { StepListener } from '../interpreter/evm-interface.js';
import type { Hooks } from '../interpreter/hooks.js';

/**
 * What an execution depends on besides its message and its world.
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
  /**
   * Leaves out what holds in blocks alone: the sender's nonce, that it has no code, and the cap of EIP-7825.
   */
  readonly isSimulation?: boolean;
  /** Gas between two turns of the event loop, in place of SLICE_GAS. */
  readonly sliceGas?: number;
}

/** The execution was stopped from outside: its time is over. */
export class ExecutionAbortedError extends TetradError {
  override readonly name = 'ExecutionAbortedError';
  override readonly code = 'EXECUTION_ABORTED';
}
