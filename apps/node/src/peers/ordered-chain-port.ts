import type { ChainPort } from '@tetrad/node-peer';
import type { BlocksFromPeers } from '../ordering/ordering.js';

/**
 * The chain of a node whose blocks come from a log: peers are only asked for blocks that the log no longer has.
 * @param fromPeers - undefined before the ordering is started, when no blocks are accepted
 */
export function orderedChainPort(chain: ChainPort, fromPeers: () => BlocksFromPeers | undefined): ChainPort {
  return {
    ...chain,
    takesBlocks: () => fromPeers()?.isWanted() === true,
    async importBlock(block) {
      const rule = fromPeers();
      // The next ones come from where they are ordered.
      if (rule?.isWanted() !== true) return { kind: 'known' };
      if (!rule.mayTake(block))
        return { kind: 'invalid', reason: `block ${block.header.number} was not made by a member` };
      return chain.importBlock(block);
    },
  };
}
