import { bftChainRules, type BftChainRules } from '@tetrad/node-consensus-bft-chain';
import { GenesisError, type Genesis } from '@tetrad/node-execution';

/** The rules of consensus that the genesis file asks for. Fails: GenesisError when this node does not have them */
export function rulesOf(genesis: Genesis): BftChainRules {
  switch (genesis.consensus.engine) {
    case 'qbft':
    case 'ibft':
      return bftChainRules(genesis);
    case 'raft':
      throw new GenesisError('config.raft: raft ordering is not served yet');
  }
}
