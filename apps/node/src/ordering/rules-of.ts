import { bftChainRules, type BftChainRules } from '@tetrad/node-consensus-bft-chain';
import { RaftChainRules } from '@tetrad/node-consensus-raft';
import type { Genesis } from '@tetrad/node-execution';

/** The consensus rules of the genesis file. Fails: GenesisError */
export function rulesOf(genesis: Genesis): BftChainRules | RaftChainRules {
  return genesis.consensus.engine === 'raft' ? new RaftChainRules(genesis) : bftChainRules(genesis);
}
