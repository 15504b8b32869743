import { TimeSlices, type AccessListEntry, type Address, type Block, type Log } from '@tetrad/types';
import {
  ExecutionAbortedError,
  type BlockOverrides,
  type Simulation,
  type StateOverrides,
} from '@tetrad/node-execution';

/** A message of a simulation; absent members are filled in from the state and the block. */
export interface SimulatedCall {
  readonly from?: Address | undefined;
  readonly to?: Address | undefined;
  readonly gas?: bigint | undefined;
  readonly gasPrice?: bigint | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly value?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly nonce?: bigint | undefined;
  readonly accessList?: readonly AccessListEntry[] | undefined;
}

/** A block to simulate: its overrides, and its messages in order. */
export interface BlockRequest {
  readonly block?: BlockOverrides | undefined;
  readonly state?: StateOverrides | undefined;
  readonly calls: readonly SimulatedCall[];
}

/** Outcome of one message. */
export interface SimulatedOutcome {
  readonly status: 0 | 1;
  readonly returnData: Uint8Array;
  readonly gasUsed: bigint;
  readonly logs: readonly Log[];
  /** Why the status is 0, in geth's words. */
  readonly failure: string | undefined;
}

/** A block that could follow the one before it, without seals. */
export interface SimulatedBlock {
  readonly block: Block;
  readonly outcomes: readonly SimulatedOutcome[];
}

export interface SimulationOptions {
  /** Whether nonces, balances and the base fee must be in order, as in a block. */
  readonly validation: boolean;
  /** Whether transfers of ether are among the logs. */
  readonly traceTransfers: boolean;
  /** Gas of all messages together. */
  readonly gasCap: bigint;
  /** Bytes of all return data and logs together. */
  readonly maxBytes: number;
  /** Cancels it, and makes it wait for admission when it takes long. */
  readonly admission?: Pick<Simulation, 'signal' | 'onLong'> | undefined;
}

/** Lets other work run between the calls, blocks and changes of a simulation, whose executions may each be short. */
export class SimulationPace {
  private readonly slices = new TimeSlices();

  constructor(private readonly admission: SimulationOptions['admission']) {}

  /**
   * Awaited between two pieces of work.
   * @throws ExecutionAbortedError when the caller no longer waits
   */
  giveWay(): Promise<void> | undefined {
    this.assertWanted();
    return this.slices.isOver() ? this.pause() : undefined;
  }

  private async pause(): Promise<void> {
    await this.slices.pause();
    this.assertWanted();
    await this.admission?.onLong?.();
  }

  private assertWanted(): void {
    if (this.admission?.signal?.aborted === true) throw new ExecutionAbortedError('execution aborted');
  }
}
