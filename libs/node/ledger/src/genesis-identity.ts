import { StateDatabase, genesisState, type Genesis } from '@tetrad/node-execution';
import { silentMetrics, type Block } from '@tetrad/types';
import type { ConsensusRules } from './consensus-rules.js';
import { genesisBlock } from './genesis-block.js';

/** Block 0 of the chain that the file describes, without any database. Cost: hashing its accounts */
export async function blockZeroOf(
  genesis: Genesis,
  rules: Pick<ConsensusRules, 'hashHeader'>,
): Promise<Block> {
  const nowhere = async () => undefined;
  const source = { findNode: nowhere, findCode: nowhere, findPreimage: nowhere };
  const state = new StateDatabase({ source, metrics: silentMetrics });
  return genesisBlock(genesis, await genesisState(genesis, state), rules);
}
