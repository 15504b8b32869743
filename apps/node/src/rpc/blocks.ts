import {
  viewBlock,
  viewReceipt,
  type BlockReference,
  type BlockView,
  type ethBlockMethods,
} from '@tetrad/api-node';
import { blockSize } from '@tetrad/node-ledger';
import type { Handlers } from '@tetrad/rpc';
import type { Block } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';
import { BlockResolver } from './resolve-block.js';

export function blockHandlers(parts: NodeParts): Handlers<typeof ethBlockMethods> {
  const blocks = new BlockResolver(parts);
  const view = async (reference: BlockReference, hydrated = false) => {
    const block = await blocks.find(reference);
    return block === undefined ? null : showBlock(block, hydrated);
  };
  const countTransactions = async (reference: BlockReference) =>
    (await blocks.find(reference))?.transactions.length ?? null;
  /** BFT blocks have no uncles; an unknown block has not even none. */
  const countUncles = async (reference: BlockReference) =>
    (await blocks.find(reference)) === undefined ? null : 0;
  return {
    eth_getBlockByHash: ([blockHash, hydrated]) => view({ blockHash }, hydrated),
    eth_getBlockByNumber: ([reference, hydrated]) => view(reference, hydrated),
    eth_getBlockTransactionCountByHash: ([blockHash]) => countTransactions({ blockHash }),
    eth_getBlockTransactionCountByNumber: ([reference]) => countTransactions(reference),
    eth_getUncleCountByBlockHash: ([blockHash]) => countUncles({ blockHash }),
    eth_getUncleCountByBlockNumber: ([reference]) => countUncles(reference),
    eth_getUncleByBlockHashAndIndex: () => null,
    eth_getUncleByBlockNumberAndIndex: () => null,
    async eth_getBlockReceipts([reference]) {
      const block = await blocks.find(reference);
      return block === undefined ? null : (await parts.ledger.listReceipts(block)).map(viewReceipt);
    },
  };
}

function showBlock(block: Block, hydrated: boolean): BlockView {
  return viewBlock(block, { sizeBytes: blockSize(block), transactions: hydrated ? 'full' : 'hashes' });
}
