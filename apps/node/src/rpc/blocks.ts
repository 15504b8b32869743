import {
  viewBlock,
  viewReceipt,
  type BlockReference,
  type BlockView,
  type ethBlockMethods,
} from '@tetrad/api-node';
import { blockSize } from '@tetrad/node-block';
import { BlockFinder } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import type { Block } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

export function blockHandlers(
  parts: Pick<NodeParts, 'ledger' | 'receipts'>,
): Handlers<typeof ethBlockMethods> {
  const blocks = new BlockFinder(parts.ledger);
  const view = async (reference: BlockReference, hydrated = false) => {
    const block = await blocks.find(reference);
    return block === undefined ? null : showBlock(parts, block, hydrated);
  };
  const countTransactions = async (reference: BlockReference) =>
    (await blocks.find(reference))?.transactions.length ?? null;
  /** Blocks have no uncles; null for an unknown block. */
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
      return block === undefined ? null : (await parts.receipts.list(block)).map(viewReceipt);
    },
  };
}

/** Shows a block of the chain, or a refused one. */
export function showBlock({ ledger }: Pick<NodeParts, 'ledger'>, block: Block, hydrated: boolean): BlockView {
  return viewBlock(block, {
    sizeBytes: blockSize(block),
    transactions: hydrated ? 'full' : 'hashes',
    totalDifficulty: ledger.totalDifficulty(block.header.number),
  });
}
