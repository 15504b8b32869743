import type { minerMethods } from '@tetrad/api-node';
import type { Handlers } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

/** Whether this node proposes and votes, by hand. */
export function minerHandlers({ consensus }: Pick<NodeParts, 'consensus'>): Handlers<typeof minerMethods> {
  return {
    async miner_start() {
      if (consensus === undefined)
        throw new RequestError(
          'CONSENSUS_NOT_AVAILABLE',
          'this node was started to follow the chain only (--validator false)',
        );
      await consensus.resume();
      return null;
    },
    async miner_stop() {
      await consensus?.pause();
      return null;
    },
  };
}
