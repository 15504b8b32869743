import type { ethMethods } from '@tetrad/api-node';
import { findAccount } from '@tetrad/node-execution';
import { BlockResolver } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

/** The eth methods of the interface document that concern public transactions and accounts. */
type Served = 'eth_sendTransaction' | 'eth_sendTransactionAsync' | 'eth_fillTransaction' | 'eth_storageRoot';

export function ethHandlers(
  parts: Pick<NodeParts, 'asyncSender' | 'ledger' | 'pending' | 'privateState' | 'sender'>,
): Handlers<Pick<typeof ethMethods, Served>> {
  const { sender, asyncSender } = parts;
  const blocks = new BlockResolver(parts);
  return {
    eth_sendTransaction: ([request]) => sender.send(request),
    eth_sendTransactionAsync: ([request], { callId }) => asyncSender.send(request, callId ?? null),
    eth_fillTransaction: ([request]) => sender.fill(request),
    async eth_storageRoot([address, reference]) {
      // Only a sealed state has a root; GoQuorum answers in these words for the pending one too.
      if (reference === 'pending') throw new RequestError('INVALID_BLOCK_NUMBER', 'invalid block number');
      const world = await blocks.worldOf(address, reference, { notFound: 'invalid block number' });
      const account = await findAccount(world, address);
      if (account === undefined) {
        throw new RequestError('STATE_OBJECT_NOT_FOUND', "can't find state object", { address });
      }
      return account.storageRoot;
    },
  };
}
