import {
  genesisState,
  type Executor,
  type Genesis,
  type StateChanges,
  type StateDatabase,
} from '@tetrad/node-execution';
import type { Block } from '@tetrad/types';
import type { ConsensusRules } from './consensus-rules.js';
import { emptyState, genesisBlock } from './genesis-block.js';

/** Block 0 with its state and its snapshot. */
export interface ChainStart<Snapshot> {
  readonly block: Block;
  readonly changes: StateChanges;
  readonly snapshot: Snapshot;
}

/**
 * Block 0 of the genesis file.
 * @throws InvalidBlockError or GenesisError when block 1 could not be made
 */
export async function chainStart<Snapshot>(
  { genesis, executor }: { readonly genesis: Genesis; readonly executor: Executor },
  rules: ConsensusRules<Snapshot>,
  state: StateDatabase,
): Promise<ChainStart<Snapshot>> {
  const changes = await genesisState(genesis, state);
  const block = genesisBlock(genesis, changes, rules);
  const named = await rules.namedValidators({
    executor,
    block: {
      ...block.header,
      timestamp: genesis.timestamp,
      proposer: block.header.beneficiary,
      findBlockHash: async () => undefined,
    },
    world: state.worldAfter(changes),
  });
  return { block, changes, snapshot: rules.genesisSnapshot(block.header, named) };
}

/**
 * Starts the chain of the file in memory, to find its faults before anything is created for it.
 * @throws as `chainStart`
 */
export async function assertChainStarts<Snapshot>(
  chain: { readonly genesis: Genesis; readonly executor: Executor },
  rules: ConsensusRules<Snapshot>,
): Promise<void> {
  await chainStart(chain, rules, emptyState());
}
