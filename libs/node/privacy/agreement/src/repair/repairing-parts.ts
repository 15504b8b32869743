import type { SigningKey } from '@tetrad/crypto';
import type { DumpedContract } from '@tetrad/node-private-state';
import type { RepairStore } from '@tetrad/node-store';
import type { ManagerClient } from '@tetrad/transaction-manager-client';
import type { Address, Clock, Hash, Logger, PtmKey } from '@tetrad/types';
import type { SharedContracts } from '../results/shared-contracts.js';
import type { ContractState } from '../signed/contract-state.js';

/** What asking for a contract, answering and telling of a repair need alike. */
export interface RepairingParts {
  readonly chainId: bigint;
  readonly genesisHash: Hash;
  readonly nodeKey: Pick<SigningKey, 'sign'>;
  readonly store: RepairStore;
  readonly manager: Pick<ManagerClient, 'sendMessage'>;
  readonly shared: Pick<SharedContracts, 'isShared'>;
  /** Parties of a contract of which this node has proof, its own keys among them. */
  readonly partiesOf: (
    contract: Address,
  ) => Promise<{ readonly parties: ReadonlySet<PtmKey>; readonly own: ReadonlySet<PtmKey> }>;
  /** Undefined when this node does not have the contract after the block. */
  readonly findState: (contract: Address, block: number) => Promise<ContractState | undefined>;
  /** The whole contract after the block. */
  readonly readWhole: (contract: Address, block: number) => Promise<DumpedContract | 'tooLarge' | undefined>;
  /**
   * Waits a bounded time until private state has followed the block.
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE
   */
  readonly demand: (block: number) => Promise<void>;
  /** The last block that private state has followed; -1 before the first. */
  readonly followed: () => number;
  readonly hashOf: (block: number) => Promise<Hash | undefined>;
  readonly randomHash: () => Hash;
  readonly clock: Clock;
  readonly logger: Logger;
}
