import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import {
  genesisState,
  type Executor,
  type Genesis,
  type StateChanges,
  type StateDatabase,
} from '@tetrad/node-execution';
import type { Address, Block } from '@tetrad/types';
import type { ChainRules } from './chain-rules.js';
import { genesisBlock } from './genesis-block.js';
import { readValidatorContract } from './validator-contract.js';

/** Block 0 with its state and its validators. */
export interface ChainStart {
  readonly block: Block;
  readonly changes: StateChanges;
  readonly snapshot: ValidatorSnapshot;
}

/** What the genesis file says of block 0. Fails: ConsensusError when its extra data names no validators. */
export async function chainStart(
  { genesis, executor }: { readonly genesis: Genesis; readonly executor: Executor },
  rules: ChainRules,
  state: StateDatabase,
): Promise<ChainStart> {
  const changes = await genesisState(genesis, state);
  const block = genesisBlock(genesis, changes);
  const isRaft = genesis.consensus.engine === 'raft';
  const contract = isRaft ? undefined : rules.settingsAt(0).validatorContract;
  let named: readonly Address[] | undefined;
  if (contract !== undefined) {
    const world = state.worldAfter(changes);
    const context = {
      ...block.header,
      proposer: block.header.beneficiary,
      findBlockHash: async () => undefined,
    };
    named = await readValidatorContract({ executor, block: context, world }, contract);
  }
  return { block, changes, snapshot: rules.genesisSnapshot(block.header, named) };
}
