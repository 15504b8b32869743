import { EMPTY_OMMERS_HASH, EMPTY_ROOT } from '@tetrad/node-block';
import {
  rulesAt,
  type Genesis,
  type StateChanges,
  StateDatabase,
  genesisState,
} from '@tetrad/node-execution';
import { type Block, type BlockHeader, silentMetrics } from '@tetrad/types';
import type { ConsensusRules } from './consensus-rules.js';
import { forkFields } from './header-fields.js';

/** Block 0 of the chain, with the state of the genesis file. */
export function genesisBlock(
  genesis: Genesis,
  state: StateChanges,
  rules: Pick<ConsensusRules, 'hashHeader'>,
): Block {
  const header: BlockHeader = {
    parentHash: genesis.parentHash,
    ommersHash: EMPTY_OMMERS_HASH,
    beneficiary: genesis.beneficiary,
    stateRoot: state.stateRoot,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: genesis.difficulty,
    number: 0,
    gasLimit: genesis.gasLimit,
    gasUsed: genesis.gasUsed,
    timestamp: BigInt(genesis.timestamp),
    extraData: genesis.extraData,
    mixHash: genesis.mixHash,
    nonce: genesis.nonce,
    ...forkFields(rulesAt(genesis.forks, { number: 0, timestamp: genesis.timestamp })),
  };
  return { hash: rules.hashHeader(header), header, transactions: [] };
}

/** Block 0 of the chain that the file describes, without any database. Cost: hashing its accounts */
export async function blockZeroOf(
  genesis: Genesis,
  rules: Pick<ConsensusRules, 'hashHeader'>,
): Promise<Block> {
  return genesisBlock(genesis, await genesisState(genesis, emptyState()), rules);
}

/** The state of no accounts, without any database. */
export function emptyState(): StateDatabase {
  const nowhere = async () => undefined;
  const source = { findNode: nowhere, findCode: nowhere, findPreimage: nowhere };
  return new StateDatabase({ source, metrics: silentMetrics });
}
