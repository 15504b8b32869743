import { bftChainRules, type BftChainRules } from '@tetrad/node-consensus-bft-chain';
import { RaftChainRules } from '@tetrad/node-consensus-raft';
import type { Genesis } from '@tetrad/node-execution';

/** The rules of consensus that the genesis file asks for. Fails: GenesisError */
export function rulesOf(genesis: Genesis): BftChainRules | RaftChainRules {
  return genesis.consensus.engine === 'raft' ? new RaftChainRules(genesis) : bftChainRules(genesis);
}
