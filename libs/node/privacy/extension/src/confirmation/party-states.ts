import type { Address, Hash } from '@tetrad/types';
import type { ContractState } from '@tetrad/node-agreement';

/** Private state of this node at blocks that it has executed. */
export interface PartyStates {
  /**
   * Waits a bounded time.
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE
   */
  demand(block: number): Promise<void>;
  hashOf(block: number): Promise<Hash | undefined>;
  /** Root of the private state after the block. */
  rootAt(block: number): Promise<Hash>;
  /** Undefined when this node does not have the contract. */
  findState(contract: Address, block: number): Promise<ContractState | undefined>;
}
