import type { minerMethods } from '@tetrad/api-node';
import type { Handlers } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

/** Starts and stops proposing and voting manually. */
export function minerHandlers({ ordering }: Pick<NodeParts, 'ordering'>): Handlers<typeof minerMethods> {
  return {
    async miner_start() {
      if (ordering === undefined)
        throw new RequestError(
          'CONSENSUS_NOT_AVAILABLE',
          'this node was started to follow the chain only (--validator false)',
        );
      await ordering.resume();
      return null;
    },
    async miner_stop() {
      await ordering?.pause();
      return null;
    },
  };
}
